/* worker.h: one job clone, running in its own process or thread. Private to src/worker. */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include "clone.h"
#include "cpu_counters.h"
#include "file_set.h"
#include "schedule.h"
#include "account.h"
#include "io_queue.h"
#include "io_source.h"
#include "stats.h"
#include "window.h"
#include "quota.h"
#include "sync_count.h"

struct worker {
	struct clone clone;
	struct phase_clock clock;
	struct io_queue q;
	struct io_source source;
	struct file_set files;
	struct quota quota;
	struct sync_count sync;
	struct scheduler sched;
	struct flow_wait flow;
	struct stats stats;
	struct window window;
	struct observers observers;
	struct io_retry retry;
	struct recorder recorder;
	struct replay *replay;             /* read_iolog; NULL: the I/Os come from `source` */
	struct depth_search *search;       /* latency_target; NULL: none */
	struct verify *verify;             /* NULL: the job does not verify */
	struct verify_async *verify_async; /* NULL: the worker checks blocks itself */
	struct helper_cpu *helpers;        /* NULL: the worker is a process, or has no helper threads */
	void *locked;                      /* lockmem */
	struct cpu_counters counters;      /* with latency_split, ... */
	struct cpu_counts start_counts;    /* ... when the measured phase began */
	struct content content;            /* of writes. The last field: only jobs that write allocate it */
};

#endif
