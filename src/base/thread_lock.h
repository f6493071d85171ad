/* thread_lock.h: a lock in shared memory that survives its owner: if the thread that holds it has died, the
   next one takes it, and must mend the data. Threads that wait do not sleep, so sections should be short. A
   thread cannot take a lock twice. */
#ifndef THREAD_LOCK_H
#define THREAD_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The thread ID of the owner; 0: free. Zeroed memory is a free lock. */
typedef _Atomic uint32_t thread_lock;

/* Call this if the lock was not free. Returns as thread_lock_take. */
bool thread_lock_wait(thread_lock *lock, uint32_t me);
/* Returns whether a thread of this ID exists. A process that was killed exists until its parent has waited
   for it. */
bool thread_exists(uint32_t tid);

/* me: the ID of the calling thread. Returns false if the last owner died with the lock: it may have left a
   change half done. */
static inline bool thread_lock_take(thread_lock *lock, uint32_t me)
{
	uint32_t free = 0;

	return atomic_compare_exchange_strong_explicit(lock, &free, me, memory_order_acquire,
						       memory_order_relaxed) ||
	       thread_lock_wait(lock, me);
}

static inline void thread_lock_release(thread_lock *lock)
{
	atomic_store_explicit(lock, 0, memory_order_release);
}

#endif
