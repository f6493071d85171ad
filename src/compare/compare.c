/* compare.c: compares two sides: refuses, notes, finds lost jobs, and computes the figures of each pair. */
#include "compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "units.h"
#include "vec.h"

const char *const compare_setting_name[COMPARE_SETTINGS + 1] = {
	"rw",   "bs",           "direct", "engine", "iodepth",  "numjobs", "rate",     "thinktime",
	"sync", "distribution", "mix",    "size",   "contents", "device",  "same-run", NULL
};

const char *compare_source(const struct compare *c, size_t i)
{
	return i < c->a.n ? c->a.source[i] : c->b.source[i - c->a.n];
}

/* Returns the first run without jobs, or the first one after A's first that shares no job with it. */
static size_t odd_run(const struct compare *c)
{
	const struct result *a = c->a.res[0];
	size_t runs = c->a.n + c->b.n;

	for (size_t i = 0; i < runs; i++) {
		bool common = false;

		for (size_t k = 0; k < a->njobs; k++)
			common |= compare_find_job(c, i, a->jobs[k], 0) < compare_run(c, i)->njobs;
		if (!common)
			return i;
	}
	return runs - 1;
}

static int no_pairs(struct compare *c, struct diag *d)
{
	size_t odd = odd_run(c);
	const struct result *r = compare_run(c, odd);

	if (!r->njobs)
		return diag_err(d, -EINVAL, "%s: this result has no jobs to compare", compare_source(c, odd));
	return diag_err(
		d, -EINVAL,
		"no job of %s has a job of the same name in every other run (%s has '%s', and %s has '%s'); "
		"give jobs that belong together the same name",
		c->a.source[0], c->a.source[0], compare_label(c, 0, 0), compare_source(c, odd),
		compare_label(c, odd, 0));
}

/* Returns the words for --allow, "bs,iodepth", that would permit the comparison. */
static const char *needed_words(const struct compare *c, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned s = 0; s < COMPARE_SETTINGS; s++) {
		bool refused = false;

		for (size_t i = 0; i < c->difference.n; i++)
			refused |= c->difference.v[i].refused && c->difference.v[i].setting == s;
		if (refused && len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? "," : "",
						compare_setting_name[s]);
	}
	return buf;
}

/* Reports the first difference that is refused, and how many more there are. */
static int refuse_differences(const struct compare *c, struct diag *d)
{
	const struct compare_difference *first = NULL;
	size_t more = 0;
	char rest[64] = "", words[128];

	for (size_t i = 0; i < c->difference.n; i++) {
		const struct compare_difference *diff = &c->difference.v[i];

		if (diff->refused && !first)
			first = diff;
		else if (diff->refused)
			more++;
	}
	if (!first)
		return 0;
	if (more)
		snprintf(rest, sizeof(rest), ", and %zu more such difference%s", more, more == 1 ? "" : "s");
	needed_words(c, words, sizeof(words));
	if (first->setting == COMPARE_SAME)
		return diag_err(d, -EINVAL, "%s and %s hold the same run; --allow=%s compares it with itself",
				first->a, first->b, words);
	return diag_err(d, -EINVAL,
			"%s%s%s%s is %s in %s and %s in %s%s, so a change of the figures says little about "
			"the storage; "
			"--allow=%s compares nevertheless",
			first->job ? "job '" : "", first->job ? first->job : "", first->job ? "': " : "",
			first->name, first->a, first->run_a, first->b, first->run_b, rest, words);
}

/* Adds a note if the sums of the first runs of A and B are over different numbers of ranks. */
static void note_ranks(struct compare *c)
{
	size_t a = c->a.res[0]->hosts.n, b = c->b.res[0]->hosts.n;

	if (a && b && a != b)
		notes_add(&c->notes, "A ran on %zu rank%s and B on %zu; the sums differ for this reason, too",
			  a, a == 1 ? "" : "s", b);
}

/* Notes I/Os of which only a lower bound of the response time is known. */
static void note_unfinished(struct compare *c, size_t run, const char *name, const struct result_job *j)
{
	static const char *const dir_name[DIR_DATA] = { "reads", "writes", "trims" };

	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		const struct summary_dir *d = &j->sum.dir[dir];
		uint64_t unfinished = d->unissued + d->in_flight_at_end;

		if (unfinished)
			notes_add(
				&c->notes,
				"%s: job '%s': %" PRIu64 " of %" PRIu64
				" %s that were due were not complete at the end; resp includes the age that "
				"they had reached, a lower bound",
				compare_source(c, run), name, unfinished, summary_due(d),
				j->mixed ? "I/Os" : dir_name[dir]);
	}
}

/* Adds a note for each run with a signal or errors, because its figures may cover only a part of the work. */
static void add_compare_notes(struct compare *c, const struct compare_pair *pair, size_t pairs)
{
	note_ranks(c);
	for (size_t i = 0; i < c->a.n + c->b.n; i++) {
		const struct result *r = compare_run(c, i);

		if (r->exit.signal)
			notes_add(&c->notes, "%s: the run was interrupted by signal %d", compare_source(c, i),
				  r->exit.signal);
		for (size_t k = 0; k < pairs; k++) {
			const struct result_job *j = pair[k].run[i];

			if (j->error)
				notes_add(&c->notes, "%s: job '%s' ended with %s", compare_source(c, i),
					  pair[k].name, diag_errno(j->error));
			else if (j->sum.errors)
				notes_add(&c->notes, "%s: job '%s' had errors in %" PRIu64 " I/Os",
					  compare_source(c, i), pair[k].name, j->sum.errors);
			note_unfinished(c, i, pair[k].name, j);
		}
	}
}

/* Returns why this job of A's first run is lost in B; NULL: it is not. */
static const char *why_lost(struct compare *c, size_t at)
{
	const struct result *a = c->a.res[0];
	const char *why = NULL;

	for (size_t i = 0; i < c->b.n && !why; i++) {
		const struct result *b = c->b.res[i];
		size_t found = compare_find_job(c, c->a.n + i, a->jobs[at], c->names[0].ordinal[at]);

		if (found < b->njobs && !b->jobs[found]->error)
			continue;
		why = found == b->njobs ? arena_printf(&c->mem, "%s has no such job", c->b.source[i])
					: arena_printf(&c->mem, "it ended with %s in %s",
						       diag_errno(b->jobs[found]->error), c->b.source[i]);
		c->failed |= !why;
	}
	return why;
}

static void find_lost(struct compare *c)
{
	const struct result *a = c->a.res[0];

	for (size_t i = 0; i < a->njobs && (c->cfg.nconditions || c->cfg.list_lost); i++) {
		const struct result_job *j = a->jobs[i];
		struct compare_lost lost = { .group = j->group, .why = why_lost(c, i) };

		if (!lost.why)
			continue;
		lost.job.name = compare_label(c, 0, i);
		lost.job.plain_name = j->name ? j->name : "";
		lost.mixed = j->mixed || j->both;
		for (unsigned d = 0; d < DIR_DATA; d++)
			lost.dir[d] = !j->mixed && j->sum.dir[d].ios > 0;
		lost.dir[DIR_SYNC] = j->sum.sync_ios > 0;
		c->failed |= !VEC_PUSH(&c->lost, lost);
	}
}

static int compare_jobs(struct compare *c, const struct compare_pair *pair, size_t pairs)
{
	c->jobs = arena_array(&c->mem, pairs, sizeof(*c->jobs));
	if (!c->jobs)
		return -ENOMEM;
	for (size_t i = 0; i < pairs; i++) {
		struct compare_job *job = &c->jobs[c->njobs++];

		*job = (struct compare_job){ .name = pair[i].name,
					     .plain_name = pair[i].plain_name,
					     .total = pair[i].total };
		if (compare_find_figures(c, &pair[i], job))
			return -ENOMEM;
	}
	return 0;
}

int compare_results(struct compare *c, const struct compare_runs *a, const struct compare_runs *b,
		    const struct compare_cfg *cfg, struct diag *d)
{
	struct compare_pair *pair;
	size_t pairs;
	int err;

	*c = (struct compare){ .cfg = *cfg, .a = *a, .b = *b };
	pair = compare_find_pairs(c, &pairs);
	if (c->failed)
		return diag_err(d, -ENOMEM, "out of memory");
	if (!pairs)
		return no_pairs(c, d);
	compare_find_differences(c, pair, pairs);
	err = refuse_differences(c, d);
	if (err)
		return err;
	add_compare_notes(c, pair, pairs);
	find_lost(c);
	pair = compare_add_totals(c, pair, &pairs);
	if (c->failed)
		return diag_err(d, -ENOMEM, "out of memory");
	if (compare_jobs(c, pair, pairs) || c->failed)
		return diag_err(d, -ENOMEM, "out of memory");
	return compare_judge(c, d);
}

void compare_fini(struct compare *c)
{
	free(c->difference.v);
	free(c->only_a.v);
	free(c->only_b.v);
	free(c->lost.v);
	free(c->verdict.v);
	notes_fini(&c->notes);
	arena_fini(&c->mem);
	*c = (struct compare){ 0 };
}

bool compare_more_is_better(const struct compare_figure *f)
{
	return f->what == COMPARE_IOPS || f->what == COMPARE_BW;
}

const char *compare_figure_name(const struct compare_figure *f, char buf[COMPARE_NAME])
{
	static const char *const dir[DIR_COUNT + 1] = { "read.", "write.", "trim.", "sync.", "" };
	static const char *const what[COMPARE_WHATS] = { "iops", "bw", "mean", "p", "max", "cpu" };
	const char *resp = f->what >= COMPARE_LAT_MEAN && f->what <= COMPARE_LAT_MAX && f->kind == LAT_RESP
				   ? "resp."
				   : "";
	const char *prefix = f->mixed ? "mixed." : dir[f->dir];
	const char *part = f->of_part ? where_part_name[f->part] : "";
	char number[UNITS_DECIMALS] = "";

	if (f->what == COMPARE_LAT_PERCENTILE)
		units_decimals(number, f->percentile, 0, 9);
	snprintf(buf, COMPARE_NAME, "%s%s%s%s%s%s", prefix, resp, part, *part ? "." : "", what[f->what],
		 number);
	return buf;
}
