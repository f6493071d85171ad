/* plan_logs.c: the log files of each worker, and the size of the ring between worker and log writer. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "plan_build.h"
#include "strbuf.h"

/* Default ring sizes, and the memory of all rings together. */
#define ENTRIES_MOST  32768
#define ENTRIES_LEAST 1024
#define RINGS_BYTES   (256u << 20)
#define ENTRY_BYTES   40u /* struct log_rec of region/region.h */

static const char *const kinds[LOG_KINDS] = { "bw", "iops", "slat", "clat", "lat", "clat_hist", NULL };

static const char *prefix_of(const struct job_opts *o, enum log_kind kind)
{
	const struct log_cfg *l = &o->log;
	const struct report_cfg *r = &o->report;

	switch (kind) {
	case LOG_BW:
		return l->bw;
	case LOG_IOPS:
		return l->iops;
	case LOG_SLAT:
		return r->no_slat ? NULL : l->lat;
	case LOG_CLAT:
		return r->no_clat ? NULL : l->lat;
	case LOG_LAT:
		return r->no_lat ? NULL : l->lat;
	case LOG_HIST:
		return l->hist;
	case LOG_IOLOG:
		return l->iolog;
	case LOG_KINDS:
		break;
	}
	return NULL;
}

/* Returns the job's name with '_' for each slash, so that it names no directory. */
static const char *job_file_name(struct arena *a, const struct job *job)
{
	char *name = arena_strdup(a, job->name);

	for (char *s = name; s && (s = strchr(s, '/'));)
		*s = '_';
	return name;
}

/* Returns the path of a log. Logs go to the working directory whatever directory= says, as in fio. Under the
   name fio, --aux-path does not move logs either. The name of a rank comes last, as that of a client of fio
   does. */
static const char *log_path(struct build *b, const struct plan_job *pj, enum log_kind kind,
			    const char *prefix)
{
	const struct run_opts *run = &b->p->set->run;
	const char *dir = run->as_fio || *prefix == '/' ? NULL : run->aux_path;
	struct arena *a = &b->p->arena;
	char number[16] = "";

	if (!*prefix)
		prefix = job_file_name(a, pj->job);
	if (!prefix)
		return NULL;
	if (pj->job->opts.log.per_job)
		snprintf(number, sizeof(number), ".%u", pj->index + 1);
	return arena_printf(a, "%s%s%s_%s%s.log%s%s%s", dir ? dir : "", dir ? "/" : "", prefix, kinds[kind],
			    number, pj->job->opts.log.store_compressed ? ".fz" : "",
			    run->rank_name ? "." : "", run->rank_name ? run->rank_name : "");
}

/* Returns the path of write_iolog, with $jobname and $jobnum replaced. NULL: memory is short. */
static const char *iolog_path(struct build *b, const struct plan_job *pj)
{
	const struct run_opts *run = &b->p->set->run;
	const char *dir = run->as_fio ? NULL : run->aux_path, *name = job_file_name(&b->p->arena, pj->job),
		   *path = NULL;
	struct strbuf s = { 0 };

	if (dir && *pj->job->opts.log.iolog != '/')
		strbuf_printf(&s, "%s/", dir);
	if (name && plan_expand_name(&s, pj->job->opts.log.iolog, name, pj->clone))
		path = arena_strdup(&b->p->arena, strbuf_str(&s));
	strbuf_fini(&s);
	return path && run->rank_name ? arena_printf(&b->p->arena, "%s.%s", path, run->rank_name) : path;
}

/* Refuses jobs whose I/O an iolog cannot describe. Its lines are cut at blanks. */
static int check_recordable(struct build *b, const struct plan_job *pj)
{
	if (pj->job->engine->caps & (ENG_META | ENG_NOIO))
		return plan_err(b, pj->job, "write_iolog", "{ioengine=%s} does no I/O that could be replayed",
				pj->job->engine->name);
	for (uint32_t i = 0; i < pj->nfiles && !(pj->job->engine->caps & ENG_NOFILE); i++) {
		const char *path = b->p->targets[pj->files[i].target].path;

		if (path[strcspn(path, " \t\n")])
			return plan_err(b, pj->job, "write_iolog",
					"the name of the target '%s' has a blank, at which readers of the "
					"log cut its lines",
					path);
	}
	return 0;
}

static int job_logs(struct build *b, struct plan_job *pj)
{
	struct plan_logs *logs = NULL;

	for (int k = 0; k < LOG_KINDS; k++) {
		const char *prefix = prefix_of(&pj->job->opts, (enum log_kind)k);

		if (!prefix)
			continue;
		if (!logs && !(logs = arena_array(&b->p->arena, 1, sizeof(*logs))))
			return plan_no_memory(b);
		logs->path[k] =
			k == LOG_IOLOG ? iolog_path(b, pj) : log_path(b, pj, (enum log_kind)k, prefix);
		if (!logs->path[k])
			return plan_no_memory(b);
		if (strlen(logs->path[k]) >= PATH_MAX)
			return plan_err(b, pj->job, NULL, "the path of its log, %.60s..., is too long",
					logs->path[k]);
		if (k < LOG_HIST && !pj->job->opts.log.avg_ms)
			logs->entries = 1;
		logs->iolog_entries |= k == LOG_IOLOG;
	}
	pj->logs = logs;
	return logs && logs->iolog_entries ? check_recordable(b, pj) : 0;
}

static uint32_t default_entries(uint32_t rings)
{
	uint32_t n = ENTRIES_MOST;

	while (n > ENTRIES_LEAST && (uint64_t)n * ENTRY_BYTES * rings > RINGS_BYTES)
		n /= 2;
	return n;
}

/* Returns a power of two with room for several batches. */
static uint32_t entries_of(const struct plan_job *pj, uint32_t default_size)
{
	uint32_t want = pj->job->opts.log.entries ? pj->job->opts.log.entries : default_size,
		 n = ENTRIES_LEAST;

	while (n < want || n < pj->depth * 4)
		n *= 2;
	return n;
}

/* Plans the files of --bandwidth-log. */
static int plan_bandwidth_logs(struct build *b)
{
	static const char *const dirs[DIR_DATA] = { "read", "write", "trim" };
	const struct run_opts *run = &b->p->set->run;
	const char *prefix = run->bandwidth_log;

	for (int k = 0; prefix && k < DIR_DATA; k++) {
		const char *dir = run->as_fio || *prefix == '/' ? NULL : run->aux_path;

		b->p->bandwidth_log[k] =
			arena_printf(&b->p->arena, "%s%s%s-%s_bw.log%s%s", dir ? dir : "", dir ? "/" : "",
				     *prefix ? prefix : "agg", dirs[k], run->rank_name ? "." : "",
				     run->rank_name ? run->rank_name : "");
		if (!b->p->bandwidth_log[k])
			return plan_no_memory(b);
	}
	return 0;
}

int plan_logs(struct build *b)
{
	uint32_t rings = 0;
	int ret = plan_bandwidth_logs(b);

	for (uint32_t i = 0; i < b->p->njobs && !ret; i++) {
		ret = job_logs(b, &b->p->jobs[i]);
		if (b->p->jobs[i].logs)
			rings += b->p->jobs[i].logs->entries + b->p->jobs[i].logs->iolog_entries;
	}
	for (uint32_t i = 0; i < b->p->njobs && !ret; i++) {
		struct plan_job *pj = &b->p->jobs[i];

		if (pj->logs && pj->logs->entries)
			pj->logs->entries = entries_of(pj, default_entries(rings));
		if (pj->logs && pj->logs->iolog_entries)
			pj->logs->iolog_entries = entries_of(pj, default_entries(rings));
	}
	return ret;
}
