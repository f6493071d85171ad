/* log_ring.h: a ring in the shared region with one record for each I/O, for the log files. The worker writes
   the records; the log writer, a child of the parent, is the only reader. When the ring is full the worker
   waits, so no record is lost. The records of a worker that was killed can still be read. */
#ifndef LOG_RING_H
#define LOG_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "io.h"

struct log_rec {
	uint64_t start_ns, issue_ns; /* clock_ns() */
	union {
		uint64_t done_ns; /* clock_ns() */
		uint64_t file;    /* write_iolog: number of the file in the plan */
	};
	uint64_t offset;
	uint32_t bytes;
	uint16_t prio; /* in the kernel's encoding; 0: none */
	uint8_t dir;   /* enum io_dir, below DIR_DATA; write_iolog: enum iolog_action */
};

/* The records of write_iolog: an operation of enum io_op, or one of these. */
enum iolog_action { IOLOG_OPEN = IO_OPS, IOLOG_CLOSE, IOLOG_ACTIONS };

struct log_ring {
	_Alignas(64) _Atomic uint64_t head; /* the worker writes this and the next four fields */
	_Atomic uint64_t waits, waited_ns;  /* waits for room, and their total time */
	_Atomic uint32_t waiting;           /* the worker waits for room now */
	uint64_t wake_tail;                 /* 1 + `tail` when the worker last woke the reader */
	_Alignas(64) _Atomic uint64_t tail; /* the reader writes this */
	_Alignas(64) struct log_rec rec[];
};

static inline size_t log_ring_bytes(uint32_t entries)
{
	return entries ? sizeof(struct log_ring) + entries * sizeof(struct log_rec) : 0;
}

/* For the reader: returns the number of records. */
static inline uint64_t log_ring_used(const struct log_ring *r)
{
	return atomic_load_explicit(&r->head, memory_order_acquire) -
	       atomic_load_explicit(&r->tail, memory_order_relaxed);
}

/* For the reader: returns how many of the oldest records are contiguous in memory. log_ring_drop() frees the
   first n of them. */
static inline uint32_t log_ring_peek(struct log_ring *r, uint32_t entries, const struct log_rec **first)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	uint64_t n = atomic_load_explicit(&r->head, memory_order_acquire) - tail;
	uint32_t at = (uint32_t)(tail & (entries - 1));

	*first = &r->rec[at];
	return (uint32_t)(n < entries - at ? n : entries - at);
}

static inline void log_ring_drop(struct log_ring *r, uint32_t n)
{
	atomic_store_explicit(&r->tail, atomic_load_explicit(&r->tail, memory_order_relaxed) + n,
			      memory_order_release);
}

#endif
