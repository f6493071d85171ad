#include "log_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "clock.h"

/* The bytes that are compressed at once: the default, and the limit for log_compression. */
#define CHUNK_BYTES 65536u
#define CHUNK_MAX   (1u << 20)

static bool is_fio_form(const struct log_cfg *c)
{
	return !c->issue_time && c->window != LOG_WINDOW_BOTH;
}

static struct log_file file_for(const struct plan_job *pj, int kind)
{
	const struct log_cfg *c = &pj->job->opts.log;
	struct log_file f = {
		.path = pj->logs->path[kind], .fd = -1, .iolog = kind == LOG_IOLOG, .chunk_bytes = CHUNK_BYTES
	};

	if (f.iolog)
		return f;
	if (c->compression)
		f.chunk_bytes = c->compression < CHUNK_MAX ? (size_t)c->compression : CHUNK_MAX;
	if (c->store_compressed)
		f.format = is_fio_form(c) && kind != LOG_HIST ? LOG_FILE_ZLIB : LOG_FILE_GZIP;
	/* A chunk ends with a whole record: 160 is a multiple of 32 and 40 bytes. */
	f.chunk_bytes -= f.chunk_bytes % 160;
	return f;
}

/* Finds or adds the file. With per_job_logs=0 workers share files, and always those of write_iolog. */
static struct log_file *add_set_file(struct log_set *l, const struct plan_job *pj, int kind)
{
	struct log_file *f = &l->files[l->nfiles];

	for (uint32_t i = l->nfiles; i-- > 0 && (kind == LOG_IOLOG || !pj->job->opts.log.per_job);)
		if (l->files[i].iolog == (kind == LOG_IOLOG) &&
		    !strcmp(l->files[i].path, pj->logs->path[kind]))
			return &l->files[i];
	*f = file_for(pj, kind);
	l->nfiles++;
	return f;
}

/* The logs of several ranks have the wall clock of one of them. Other clocks count from a host's own start.
 */
static uint64_t clock_shift(uint32_t clock, int64_t realtime_ns)
{
	uint64_t now = clock_ns();
	struct timespec ts;

	if (clock_gettime((clockid_t)clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec - now +
	       (clock == CLOCK_REALTIME ? (uint64_t)realtime_ns : 0);
}

static void set_job_logs(struct log_set *l, const struct plan_job *pj)
{
	const struct log_cfg *c = &pj->job->opts.log;
	struct job_logs *j = &l->job[pj->index];

	for (int k = 0; k < LOG_KINDS; k++)
		if (pj->logs->path[k])
			j->file[k] = add_set_file(l, pj, k);
	j->form = (struct log_line_form){ .max = c->window == LOG_WINDOW_BOTH,
					  .offset = c->offset,
					  .prio = c->prio,
					  .issue = c->issue_time };
	j->epoch = c->epoch;
}

static size_t count_files(const struct plan *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->njobs; i++)
		for (int k = 0; p->jobs[i].logs && k < LOG_KINDS; k++)
			n += p->jobs[i].logs->path[k] != NULL;
	return n;
}

bool log_set_wanted(const struct plan *p)
{
	return p->bandwidth_log[0] || count_files(p);
}

bool log_set_init(struct log_set *l, const struct plan *p)
{
	l->files = calloc(count_files(p) + 1, sizeof(*l->files));
	l->job = calloc(p->njobs, sizeof(*l->job));
	if (!l->files || !l->job)
		return false;
	for (uint32_t i = 0; i < p->njobs; i++)
		if (p->jobs[i].logs)
			set_job_logs(l, &p->jobs[i]);
	return true;
}

void log_set_fini(struct log_set *l)
{
	free(l->files);
	free(l->job);
}

void log_set_clocks(struct log_set *l, const struct plan *p)
{
	for (uint32_t i = 0; i < p->njobs; i++)
		l->job[i].shift_ns =
			clock_shift(p->jobs[i].job->opts.log.epoch_clock, p->set->run.realtime_ns);
}
