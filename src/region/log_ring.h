/* log_ring.h: what a worker has to say of each I/O, for its log files: a ring in the shared region. The
   worker puts records in, one reader, the parent's log writer, takes them. When the ring is full the worker
   waits: nothing is lost. What a worker that was killed has put in is still there. */
#ifndef LOG_RING_H
#define LOG_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct log_rec {
	uint64_t start_ns, issue_ns, done_ns; /* clock_ns() */
	uint64_t offset;
	uint32_t bytes;
	uint16_t prio; /* as the kernel has it; 0: none */
	uint8_t dir;   /* enum io_dir, below DIR_DATA */
};

struct log_ring {
	_Alignas(64) _Atomic uint64_t head; /* of the worker, with the next four */
	_Atomic uint64_t waits, waited_ns;  /* how often it has waited for room, and for how long */
	_Atomic uint32_t waiting;           /* it does so now */
	uint64_t told;                      /* `tail` when it last woke the reader */
	_Alignas(64) _Atomic uint64_t tail; /* of the reader */
	_Alignas(64) struct log_rec rec[];
};

static inline size_t log_ring_bytes(uint32_t entries)
{
	return entries ? sizeof(struct log_ring) + entries * sizeof(struct log_rec) : 0;
}

/* For the reader: the oldest records, as many as lie side by side; then that so many have been read. */
static inline uint32_t log_ring_look(struct log_ring *r, uint32_t entries, const struct log_rec **first)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	uint64_t n = atomic_load_explicit(&r->head, memory_order_acquire) - tail;
	uint32_t at = (uint32_t)(tail & (entries - 1));

	*first = &r->rec[at];
	return (uint32_t)(n < entries - at ? n : entries - at);
}

static inline void log_ring_taken(struct log_ring *r, uint32_t n)
{
	atomic_store_explicit(&r->tail, atomic_load_explicit(&r->tail, memory_order_relaxed) + n,
			      memory_order_release);
}

#endif
