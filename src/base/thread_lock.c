#include "thread_lock.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

/* After so many turns a waiting thread asks whether the owner lives. */
#define TURNS 16u

bool thread_exists(uint32_t tid)
{
	return !kill((pid_t)tid, 0) || errno != ESRCH;
}

bool thread_lock_wait(thread_lock *lock, uint32_t me)
{
	for (uint32_t turn = 1;; turn++) {
		uint32_t owner = 0;

		if (atomic_compare_exchange_weak_explicit(lock, &owner, me, memory_order_acquire,
							  memory_order_relaxed))
			return true;
		if (turn % TURNS == 0 && owner && !thread_exists(owner) &&
		    atomic_compare_exchange_strong_explicit(lock, &owner, me, memory_order_acquire,
							    memory_order_relaxed))
			return false;
		sched_yield();
	}
}
