/* iolog_writer.c: writes the records of write_iolog as lines of fio's iolog, version 3.

   The lines of several workers that share a file are merged by their time stamps. */
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "log_parts.h"

/* While the run goes on, the newest records wait this long for earlier ones of other workers. */
#define MERGE_NS   1000000u
#define HEADER     "fio version 3 iolog\n"
#define ACTION_MAX 16

static const char *const actions[IOLOG_ACTIONS] = {
	"read", "write", "trim", "sync", "datasync", "sync_file_range", "sync", "open", "close",
};

/* The records of one worker: from `at` on, up to `end`. */
struct iolog_source {
	const struct plan_job *job;
	struct log_ring *ring;
	uint64_t at, end;
};

struct iolog {
	struct log_file *out;
	struct iolog_source *sources;
	uint32_t nsources;
	uint64_t origin_ns; /* 0: none of its jobs has started yet */
	uint32_t *opens;    /* by plan target: how many workers have the file open */
	char *text;
	size_t len;
};

static void flush_text(struct iolog *g)
{
	log_file_add(g->out, g->text, g->len);
	g->len = 0;
}

/* Returns the name of a job's file. An engine without files has its own name. */
static const char *file_name(const struct plan *p, const struct plan_job *pj, uint32_t target)
{
	return pj->job->engine->caps & ENG_NOFILE ? pj->job->engine->name : p->targets[target].path;
}

/* Adds a line. Only lines of I/Os have offset and length. */
static void add_io_line(struct iolog *g, const char *name, uint64_t us, const char *action,
			const struct log_rec *io)
{
	size_t n = strlen(name);

	if (g->len + n + ACTION_MAX + LOG_LINE_MAX > LOG_WRITER_TEXT)
		flush_text(g);
	g->len += log_line_iolog(g->text + g->len, us, name, n, action);
	if (io)
		g->len += log_line_extent(g->text + g->len, io->offset, io->bytes);
	g->text[g->len++] = '\n';
}

/* Times count from the start of the first job that has the log. */
static uint64_t microseconds(struct iolog *g, const struct log_writer *l, uint64_t ns)
{
	for (uint32_t i = 0; i < g->nsources && !g->origin_ns; i++)
		g->origin_ns = atomic_load_explicit(&l->run->region.stages[g->sources[i].job->stage].start_ns,
						    memory_order_relaxed);
	return g->origin_ns && ns > g->origin_ns ? (ns - g->origin_ns) / 1000 : 0;
}

/* Adds the line of one record. A file that several workers use is opened by the first of them and closed by
   the last. Engines without files, such as null, open nothing: there the first I/O does. */
static void add_record(struct iolog *g, const struct log_writer *l, const struct plan_job *pj,
		       const struct log_rec *rec)
{
	uint32_t target = pj->files[rec->file].target, *opens = &g->opens[target];
	uint64_t us = microseconds(g, l, rec->start_ns);
	const char *name = file_name(l->plan, pj, target);

	if ((rec->dir == IOLOG_OPEN && (*opens)++) || (rec->dir == IOLOG_CLOSE && --*opens))
		return;
	if (rec->dir < IOLOG_OPEN && !*opens) {
		++*opens;
		add_io_line(g, name, us, "open", NULL);
	}
	add_io_line(g, name, us, actions[rec->dir], rec->dir < IOLOG_OPEN ? rec : NULL);
}

static const struct log_rec *record(const struct iolog_source *s)
{
	return &s->ring->rec[s->at & (s->job->logs->iolog_entries - 1)];
}

/* Returns the source with the earliest record before `until`, and sets *next to the stamp up to which its
   records come first. NULL: there is none. */
static struct iolog_source *earliest(const struct iolog *g, uint64_t until, uint64_t *next)
{
	struct iolog_source *first = NULL;

	*next = until;
	for (uint32_t i = 0; i < g->nsources; i++) {
		struct iolog_source *s = &g->sources[i];
		uint64_t ns = s->at == s->end ? UINT64_MAX : record(s)->start_ns;

		if (s->at == s->end || ns >= until)
			continue;
		if (!first || ns < record(first)->start_ns) {
			*next = first ? record(first)->start_ns : until;
			first = s;
		} else if (ns < *next) {
			*next = ns;
		}
	}
	return first;
}

static void drain_rings(struct iolog *g, const struct log_writer *l, bool last)
{
	uint64_t until = last || g->nsources == 1 ? UINT64_MAX : clock_ns() - MERGE_NS, next;
	struct iolog_source *s;

	for (uint32_t i = 0; i < g->nsources; i++)
		g->sources[i].end = atomic_load_explicit(&g->sources[i].ring->head, memory_order_acquire);
	while ((s = earliest(g, until, &next))) {
		do
			add_record(g, l, s->job, record(s));
		while (++s->at < s->end && record(s)->start_ns < next);
		atomic_store_explicit(&s->ring->tail, s->at, memory_order_release);
	}
	flush_text(g);
}

/* Adds each file of the log's jobs once. */
static void add_iolog_files(struct iolog *g, const struct plan *p)
{
	for (uint32_t i = 0; i < g->nsources; i++)
		for (uint32_t k = 0; k < g->sources[i].job->nfiles; k++) {
			uint32_t target = g->sources[i].job->files[k].target;

			if (!g->opens[target]++)
				add_io_line(g, file_name(p, g->sources[i].job, target), 0, "add", NULL);
		}
	memset(g->opens, 0, p->ntargets * sizeof(*g->opens));
}

static bool begin_file(struct iolog *g, const struct log_writer *l, uint32_t file)
{
	g->out = &l->set->files[file];
	g->text = l->text;
	g->sources = calloc(l->plan->njobs, sizeof(*g->sources));
	g->opens = calloc(l->plan->ntargets, sizeof(*g->opens));
	if (!g->sources || !g->opens)
		return false;
	for (uint32_t i = 0; i < l->plan->njobs; i++)
		if (l->set->job[i].file[LOG_IOLOG] == g->out)
			g->sources[g->nsources++] = (struct iolog_source){
				.job = &l->plan->jobs[i],
				.ring = slot_iolog(run_slot(l->run, i), &l->plan->jobs[i]),
			};
	log_file_add(g->out, HEADER, sizeof(HEADER) - 1);
	add_iolog_files(g, l->plan);
	flush_text(g);
	return true;
}

/* Closes the files of workers that ended without closing them, and those of engines without files. */
static void end(struct iolog *g, const struct log_writer *l)
{
	for (uint32_t i = 0; i < g->nsources; i++)
		for (uint32_t k = 0; k < g->sources[i].job->nfiles; k++) {
			uint32_t target = g->sources[i].job->files[k].target;

			if (g->opens[target])
				add_io_line(g, file_name(l->plan, g->sources[i].job, target),
					    microseconds(g, l, clock_ns()), "close", NULL);
			g->opens[target] = 0;
		}
	flush_text(g);
}

bool iologs_begin(struct log_writer *l)
{
	const struct log_set *set = l->set;
	uint32_t n = 0;

	l->iologs = calloc(set->nfiles + 1, sizeof(*l->iologs));
	for (uint32_t i = 0; l->iologs && i < set->nfiles; i++)
		if (set->files[i].iolog && !begin_file(&l->iologs[n++], l, i))
			return false;
	return l->iologs != NULL;
}

void iologs_drain(struct log_writer *l, bool last)
{
	for (struct iolog *g = l->iologs; g->out; g++) {
		drain_rings(g, l, last);
		if (last)
			end(g, l);
	}
}

void iologs_free(struct log_writer *l)
{
	for (struct iolog *g = l->iologs; g && g->out; g++) {
		free(g->sources);
		free(g->opens);
	}
	free(l->iologs);
}
