/* compare_pairs.c: pairs the jobs of the runs by name, host and order. */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "total.h"
#include "vec.h"

static const char *text_or_empty(const char *s)
{
	return s ? s : "";
}

static bool same_key(const struct result_job *a, const struct result_job *b)
{
	return !strcmp(text_or_empty(a->name), text_or_empty(b->name)) &&
	       !strcmp(text_or_empty(a->hostname), text_or_empty(b->hostname));
}

static int by_name(const void *a, const void *b)
{
	const struct compare_name *x = a, *y = b;
	int order = strcmp(text_or_empty(x->job->name), text_or_empty(y->job->name));

	if (!order)
		order = strcmp(text_or_empty(x->job->hostname), text_or_empty(y->job->hostname));
	return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

/* Numbers the jobs from..until of the sorted list, which have one name. */
static void number_namesakes(struct compare_names *names, size_t from, size_t until)
{
	for (size_t i = from; i < until; i++) {
		names->ordinal[names->sorted[i].at] = (unsigned)(i - from);
		names->namesakes[names->sorted[i].at] = (unsigned)(until - from);
	}
}

static int by_group(const void *a, const void *b)
{
	const struct compare_name *x = a, *y = b;

	return x->job->group < y->job->group ? -1 : x->job->group > y->job->group;
}

/* Counts the jobs of each group; the list is sorted anew. */
static void count_groups(struct compare_names *names)
{
	struct compare_name *v = names->sorted;

	qsort(v, names->n, sizeof(*v), by_group);
	for (size_t from = 0, i = 1; i <= names->n; i++) {
		if (i < names->n && v[from].job->group == v[i].job->group)
			continue;
		for (size_t k = from; k < i; k++)
			names->in_group[v[k].at] = (unsigned)(i - from);
		from = i;
	}
}

static bool sort_names(struct arena *mem, const struct result *r, struct compare_names *names)
{
	names->n = r->njobs;
	names->sorted = arena_array(mem, r->njobs + 1, sizeof(*names->sorted));
	names->ordinal = arena_array(mem, r->njobs + 1, sizeof(*names->ordinal));
	names->namesakes = arena_array(mem, r->njobs + 1, sizeof(*names->namesakes));
	names->in_group = arena_array(mem, r->njobs + 1, sizeof(*names->in_group));
	if (!names->sorted || !names->ordinal || !names->namesakes || !names->in_group)
		return false;
	for (size_t i = 0; i < r->njobs; i++)
		names->sorted[i] = (struct compare_name){ r->jobs[i], i };
	count_groups(names);
	qsort(names->sorted, r->njobs, sizeof(*names->sorted), by_name);
	for (size_t from = 0, i = 1; i <= r->njobs; i++) {
		if (i < r->njobs && same_key(names->sorted[from].job, names->sorted[i].job))
			continue;
		number_namesakes(names, from, i);
		from = i;
	}
	return true;
}

size_t compare_find_job(const struct compare *c, size_t run, const struct result_job *job, unsigned ordinal)
{
	const struct compare_names *names = &c->names[run];
	const struct compare_name key = { job, 0 };
	size_t lo = 0, hi = names->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by_name(&names->sorted[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (ordinal >= names->n - lo || !same_key(names->sorted[lo + ordinal].job, job))
		return names->n;
	return names->sorted[lo + ordinal].at;
}

/* Returns the name of the job, with its host, and with a number if others have the same name. */
const char *compare_label(struct compare *c, size_t run, size_t at)
{
	const struct result_job *j = compare_run(c, run)->jobs[at];
	char host[256] = "", number[32] = "";
	const char *text;

	if (j->hostname)
		snprintf(host, sizeof(host), "@%s", j->hostname);
	if (c->names[run].namesakes[at] > 1)
		snprintf(number, sizeof(number), " (%u)", c->names[run].ordinal[at] + 1);
	text = arena_printf(&c->mem, "%s%s%s", text_or_empty(j->name), host, number);
	c->failed |= !text;
	return text_or_empty(text);
}

const struct result *compare_run(const struct compare *c, size_t i)
{
	return i < c->a.n ? c->a.res[i] : c->b.res[i - c->a.n];
}

/* Fills in the partners of job `at` of run `from`. Returns false if a run lacks the job. */
static bool find_partners(struct compare *c, size_t from, size_t at, struct compare_pair *pair)
{
	const struct result *r = compare_run(c, from);
	size_t runs = c->a.n + c->b.n;

	pair->run = arena_array(&c->mem, runs, sizeof(*pair->run));
	pair->index = arena_array(&c->mem, runs, sizeof(*pair->index));
	if (!pair->run || !pair->index) {
		c->failed = true;
		return false;
	}
	for (size_t i = 0; i < runs; i++) {
		const struct result *other = compare_run(c, i);
		size_t found = compare_find_job(c, i, r->jobs[at], c->names[from].ordinal[at]);

		if (found == other->njobs)
			return false;
		pair->run[i] = other->jobs[found];
		pair->index[i] = found;
	}
	return true;
}

struct compare_pair *compare_find_pairs(struct compare *c, size_t *pairs)
{
	const struct result *a = c->a.res[0], *b = c->b.res[0];
	struct compare_pair *pair = arena_array(&c->mem, a->njobs + 1, sizeof(*pair)), unused;

	*pairs = 0;
	c->names = arena_array(&c->mem, c->a.n + c->b.n, sizeof(*c->names));
	c->failed |= !pair || !c->names;
	for (size_t i = 0; i < c->a.n + c->b.n && !c->failed; i++)
		c->failed |= !sort_names(&c->mem, compare_run(c, i), &c->names[i]);
	if (c->failed)
		return NULL;
	for (size_t i = 0; i < a->njobs; i++) {
		if (find_partners(c, 0, i, &pair[*pairs])) {
			pair[*pairs].name = compare_label(c, 0, i);
			pair[(*pairs)++].plain_name = text_or_empty(a->jobs[i]->name);
		} else {
			c->failed |= !VEC_PUSH(&c->only_a, compare_label(c, 0, i));
		}
	}
	for (size_t i = 0; i < b->njobs; i++)
		if (!find_partners(c, c->a.n, i, &unused))
			c->failed |= !VEC_PUSH(&c->only_b, compare_label(c, c->a.n, i));
	return pair;
}

/* ---- all jobs of a group together ---- */

/* Adds up the jobs of these pairs in one run. Returns NULL if they are in several groups of the run, or if
   their group has other jobs, too. */
static struct result_job *total_of_run(struct compare *c, const struct compare_pair *pair, size_t n,
				       size_t run)
{
	const struct result_job **job = arena_array(&c->mem, n, sizeof(*job));
	struct result_job *total;

	c->failed |= !job;
	for (size_t k = 0; job && k < n; k++) {
		job[k] = pair[k].run[run];
		if (job[k]->group != job[0]->group)
			return NULL;
	}
	if (!job || c->names[run].in_group[pair->index[run]] != n)
		return NULL;
	total = total_sum(&c->mem, job, n);
	c->failed |= !total;
	if (total)
		total->group = job[0]->group;
	return total;
}

/* Fills in the total of n pairs of one group of A's first run. Returns false if a run has no such total. */
static bool make_total(struct compare *c, const struct compare_pair *pair, size_t n,
		       struct compare_pair *total)
{
	unsigned group = pair->run[0]->group;
	size_t runs = c->a.n + c->b.n;
	const char *name =
		c->a.res[0]->ngroups > 1 ? arena_printf(&c->mem, "all jobs of group %u", group) : "all jobs";

	*total = (struct compare_pair){ .name = name, .plain_name = "all jobs", .total = true };
	total->run = arena_array(&c->mem, runs, sizeof(*total->run));
	total->index = pair->index;
	c->failed |= !total->run || !name;
	for (size_t i = 0; i < runs && !c->failed; i++) {
		total->run[i] = total_of_run(c, pair, n, i);
		if (!total->run[i])
			return false;
	}
	return !c->failed;
}

struct compare_pair *compare_add_totals(struct compare *c, const struct compare_pair *pair, size_t *pairs)
{
	struct compare_pair *all = arena_array(&c->mem, 2 * *pairs + 1, sizeof(*all));
	size_t n = 0, first = 0;

	c->failed |= !all;
	for (size_t k = 0; all && k < *pairs; k++) {
		unsigned group = pair[k].run[0]->group;

		if (pair[first].run[0]->group != group)
			first = k;
		all[n++] = pair[k];
		if (k > first && (k + 1 == *pairs || pair[k + 1].run[0]->group != group) &&
		    !c->a.res[0]->client_stats && make_total(c, &pair[first], k - first + 1, &all[n]))
			n++;
	}
	*pairs = n;
	return all;
}
