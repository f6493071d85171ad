#include "merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "hosts.h"
#include "merge_parts.h"
#include "rate_steps.h"

/* The most priorities of a sum. It has up to two histograms for each. */
#define PRIOS_MAX 256

/* The shares of latencies of all entries, weighted by their I/Os. */
struct cells {
	double ns[SUMMARY_LAT_CELLS], us[SUMMARY_LAT_CELLS], ms[SUMMARY_LAT_MS_CELLS];
	uint64_t ios;
};

struct result_merge {
	struct result out;
	bool bins;
	struct snapshot sum[2]; /* of entries with separate directions, and of those with mixed ones */
	struct cells cells;
	struct result_job all; /* the last entry, without its figures; strings are the memory of out */
	struct summary_cfg cfg;
	size_t results, entries, rounded, both, no_bins;
	bool no_prios; /* there were too many */
	bool no_cpu;   /* an entry does not know the CPU time of its I/Os */
	struct merge_notes notes;
	struct merge_files files;
	struct merge_split split;
	struct merge_series series;
	struct rate_steps_sum rate_steps;
};

struct result_merge *result_merge_new(const char *program, const char *version, const char *fio_version,
				      bool bins)
{
	struct result_merge *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	result_init(&m->out, program, version, fio_version);
	m->out.client_stats = true;
	m->out.bins_off = !bins;
	m->bins = bins;
	return m;
}

void result_merge_free(struct result_merge *m)
{
	if (!m)
		return;
	snap_fini(&m->sum[0]);
	snap_fini(&m->sum[1]);
	merge_series_fini(&m->series);
	rate_steps_fini(&m->rate_steps);
	merge_notes_fini(&m->notes);
	result_free(&m->out);
	free(m);
}

/* ---- one entry ---- */

static void add_rows(struct samples *to, const struct samples *from)
{
	for (unsigned i = 0; i < SAMPLE_ROWS; i++)
		samples_add_parallel(&to[i], &from[i]);
}

static uint64_t data_ios(const struct result_job *job)
{
	uint64_t ios = 0;

	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		ios += job->sum.dir[dir].ios;
	return ios;
}

static void add_shares(double *to, const double *from, unsigned n, double ios)
{
	for (unsigned i = 0; i < n; i++)
		to[i] += from[i] * ios;
}

static void add_cells(struct cells *c, const struct result_job *job)
{
	uint64_t ios = data_ios(job);

	add_shares(c->ns, job->sum.lat_ns, SUMMARY_LAT_CELLS, (double)ios);
	add_shares(c->us, job->sum.lat_us, SUMMARY_LAT_CELLS, (double)ios);
	add_shares(c->ms, job->sum.lat_ms, SUMMARY_LAT_MS_CELLS, (double)ios);
	c->ios += ios;
}

/* Returns whether an entry has I/Os whose completion latencies have no bins. */
static bool lacks_bins(const struct result_job *job)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++)
		if (job->counts.dir[dir].lat[LAT_CLAT].n && !job->bins[dir][LAT_CLAT].n)
			return true;
	return false;
}

/* Drops all priorities of the sum when there are too many. */
static void limit_prios(struct result_merge *m, struct snapshot *to)
{
	m->no_prios |= to->layout.nprio > PRIOS_MAX;
	if (m->no_prios)
		to->layout.nprio = 0;
}

/* Adds `one`, which it may change. Returns -EOVERFLOW if the counts are too large. */
static int add_snapshot(struct result_merge *m, struct snapshot *to, struct snapshot *one)
{
	int ret;

	limit_prios(m, one);
	if (!merge_counts_fit(to, one))
		return -EOVERFLOW;
	ret = snap_add(to, one);
	add_rows(to->bw, one->bw);
	add_rows(to->iops, one->iops);
	limit_prios(m, to);
	return ret ? ret : merge_rows_fit(to->bw) && merge_rows_fit(to->iops) ? 0 : -EOVERFLOW;
}

static int merge_counts(struct result_merge *m, const struct result_job *job, struct diag *d)
{
	struct snapshot one = { 0 }, *to = &m->sum[job->mixed];
	int ret = result_snapshot(job, &one);

	if (!ret)
		ret = add_snapshot(m, to, &one);
	if (ret == -EOVERFLOW)
		diag_err(d, ret, "%s: the counts are too large to be added", job->name ? job->name : "");
	snap_fini(&one);
	add_cells(&m->cells, job);
	m->rounded += !job->counts.exact;
	m->no_bins += lacks_bins(job);
	m->no_cpu |= data_ios(job) && !job->counts.cnt.cpu_ios;
	return ret;
}

/* Keeps *all if this entry has the same text; otherwise sets it to NULL. */
static void keep_common(const char **all, const char *one, bool first)
{
	if (first)
		*all = one;
	else if (*all && (!one || strcmp(*all, one) != 0))
		*all = NULL;
}

/* The sum shows the figures that any entry shows. Its list of percentiles is that of the first entry. */
static void add_cfg(struct summary_cfg *c, const struct summary_cfg *from, bool first)
{
	if (first) {
		*c = *from;
		return;
	}
	c->percentiles_off &= from->percentiles_off;
	for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
		c->disabled[kind] &= from->disabled[kind];
		c->percentiles_of[kind] |= from->percentiles_of[kind];
	}
}

static void add_placement(struct result *r, struct result_job *all, const struct result_placement *p)
{
	result_job_placement_kind(r, all, p->kind);
	all->placement.unplaced_ios += p->unplaced_ios;
	all->placement.unplaced_bytes += p->unplaced_bytes;
	for (unsigned i = 0; i < p->nids; i++)
		result_job_placed(r, all, &p->ids[i]);
}

static void describe_all(struct result_merge *m, const struct result_job *job)
{
	struct result_job *all = &m->all;
	bool first = !m->entries;

	keep_common(&all->rw, job->rw, first);
	keep_common(&all->bs, job->bs, first);
	keep_common(&all->engine, job->engine, first);
	add_cfg(&m->cfg, &job->counts.cfg, first);
	if (first)
		all->units = job->units;
	if (!all->error && job->error) {
		all->error = job->error;
		all->error_text = arena_printf(&m->out.mem, "%s: %s", job->hostname, job->error_text);
		m->out.failed |= !all->error_text;
	}
	all->continue_on_error |= job->continue_on_error;
	all->iodepth = first || all->iodepth == job->iodepth ? job->iodepth : 0;
	all->elapsed_s = job->elapsed_s > all->elapsed_s ? job->elapsed_s : all->elapsed_s;
	all->zoned |= job->zoned;
	all->lost_ios_total += job->lost_ios_total;
	add_placement(&m->out, all, &job->placement);
	if (job->start_ms && (!all->start_ms || job->start_ms < all->start_ms))
		all->start_ms = job->start_ms;
	m->both += job->both;
}

static int add_entry(struct result_merge *m, const struct result_job *job, const char *host, struct diag *d)
{
	struct result_job copy = *job;
	struct result_job *own;
	int ret;

	copy.hostname = job->hostname ? job->hostname : host;
	copy.eta_known = false;
	if (!m->bins) {
		memset(copy.bins, 0, sizeof(copy.bins));
		memset(copy.bins_both, 0, sizeof(copy.bins_both));
		memset(copy.nprios, 0, sizeof(copy.nprios));
	}
	own = result_add_job(&m->out, &copy);
	if (!own || m->out.failed)
		return -ENOMEM;
	describe_all(m, own);
	m->entries++;
	merge_split_add(&m->split, job);
	ret = rate_steps_add(&m->rate_steps, job);
	if (ret == -EOVERFLOW)
		return diag_err(d, ret, "%s: the counts of the steps of rate_steps are too large to be added",
				job->name ? job->name : "");
	ret = ret ? ret : merge_counts(m, job, d);
	if (!ret && merge_files_add(&m->files, &m->out, own, job, m->bins))
		ret = diag_err(d, -EOVERFLOW, "%s: the counts of files are too large to be added",
			       job->name ? job->name : "");
	return ret;
}

/* ---- one result ---- */

static const char *machine_of(const struct result *r, const char *host)
{
	return r->env.host && *r->env.host && !r->client_stats ? r->env.host : host;
}

/* Returns the number of entries, without the sum at the end of a merged result. */
static size_t own_entries(const struct result *r)
{
	if (r->client_stats && r->njobs && !r->jobs[r->njobs - 1]->hostname)
		return r->njobs - 1;
	return r->njobs;
}

/* Returns the name of the entries: a rank of fiord-mpi has its own, because a host can have several ranks. */
static const char *name_of(const struct result *r, const char *host)
{
	return !r->client_stats && r->hosts.n == 1 ? r->hosts.v[0].hostname : machine_of(r, host);
}

int result_merge_add(struct result_merge *m, const struct result *r, const char *source, struct diag *d)
{
	const char *host = name_of(r, source);
	size_t n = own_entries(r);
	int ret = 0;

	if (!n) {
		merge_run_hosts(&m->out, r);
		merge_notes_add(&m->notes, &m->out, &r->notes, host);
		result_note(&m->out, "%s: the result has no jobs", host);
		return 0;
	}
	merge_run_add(&m->out, r, machine_of(r, host), !m->results++);
	merge_notes_add(&m->notes, &m->out, &r->notes, host);
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_entry(m, r->jobs[i], host, d);
	if (!ret)
		ret = merge_series_add(&m->series, r);
	if (ret == -ENOMEM || m->out.failed)
		return diag_no_memory(d);
	return ret;
}

void result_merge_host(struct result_merge *m, const struct result_host *host)
{
	result_add_host(&m->out, host);
}

/* ---- the sum ---- */

/* Removes histograms that lack I/Os of some entries, so that no percentile comes from a part of the I/Os.
   Those of clat have a note of their own. */
static void drop_partial_hists(struct result_merge *m)
{
	struct snapshot *s = &m->sum[0];

	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		for (unsigned kind = 0; kind < LAT_KINDS; kind++) {
			uint8_t *index = &s->layout.hist[dir][kind];

			if (!*index || hist_total(&s->st->hist[*index - 1]) == s->st->dir[dir].lat[kind].n)
				continue;
			*index = 0;
			if (kind != LAT_CLAT)
				result_note(&m->out,
					    "\"%s\" has no percentiles of %s %s, because not all entries "
					    "have bins of it",
					    MERGE_ALL_CLIENTS, counts_dir_name[dir], counts_kind_name[kind]);
		}
	}
}

static void set_depth_shares(double *to, const double *from, unsigned n, uint64_t ios)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = ios ? from[i] / (double)ios : 0;
}

/* Sets the shares of latencies from those of the entries, where bins are missing or fio has not counted the
   shares by its bins. */
static void set_cells(struct summary *s, const struct cells *c)
{
	set_depth_shares(s->lat_ns, c->ns, SUMMARY_LAT_CELLS, c->ios);
	set_depth_shares(s->lat_us, c->us, SUMMARY_LAT_CELLS, c->ios);
	set_depth_shares(s->lat_ms, c->ms, SUMMARY_LAT_MS_CELLS, c->ios);
}

/* Adds the entries with mixed directions to the others, after mixing the directions of the others. */
static int join_sums(struct result_merge *m)
{
	struct snapshot *apart = &m->sum[0], *mixed = &m->sum[1];

	if (!mixed->st)
		return 0;
	m->all.mixed = true;
	if (apart->st)
		result_note(&m->out, "some entries report all directions together, so \"%s\" does, too",
			    MERGE_ALL_CLIENTS);
	limit_prios(m, apart);
	snap_mix(apart);
	return add_snapshot(m, apart, mixed);
}

static void note_losses(struct result_merge *m)
{
	if (m->no_bins)
		result_note(&m->out,
			    "%zu of %zu entries have no bins, so \"%s\" has no percentiles; documents of "
			    "--output-format=json+ have bins",
			    m->no_bins, m->entries, MERGE_ALL_CLIENTS);
	if (m->rounded)
		result_note(
			&m->out,
			"%zu of %zu entries have rounded means and deviations, as fio writes them; those of "
			"\"%s\" are computed from them",
			m->rounded, m->entries, MERGE_ALL_CLIENTS);
	if (m->no_prios)
		result_note(&m->out,
			    "the entries have more than %d priorities together, so \"%s\" has none of them",
			    PRIOS_MAX, MERGE_ALL_CLIENTS);
	if (m->notes.left_out)
		result_note(&m->out, "%zu more notes are in the documents of the hosts", m->notes.left_out);
}

static int add_all(struct result_merge *m)
{
	struct result_job *all;
	int ret = join_sums(m);

	if (ret)
		return ret;
	drop_partial_hists(m);
	if (m->no_cpu)
		m->sum[0].cnt.cpu_ios = 0;
	m->all.name = MERGE_ALL_CLIENTS;
	m->all.both = m->both == m->entries;
	m->all.members = m->sum[0].members;
	all = result_add_job(&m->out, &m->all);
	if (!all || result_set_snapshot(&m->out, all, &m->sum[0], &m->cfg, true))
		return -ENOMEM;
	all->counts.exact = !m->rounded;
	merge_files_finish(&m->files, &m->out, all, m->entries);
	merge_split_finish(&m->split, &m->out, all);
	if (m->no_bins || m->rounded)
		set_cells(&all->sum, &m->cells);
	rate_steps_finish(&m->rate_steps, &m->out, all, MERGE_ALL_CLIENTS);
	return 0;
}

int result_merge_finish(struct result_merge *m, struct result *out, struct diag *d)
{
	int ret;

	if (!m->entries)
		return diag_err(d, -EINVAL, "no result has a job, so there is nothing to merge");
	ret = add_all(m);
	if (ret == -EOVERFLOW)
		return diag_err(d, ret, "the counts are too large to be added");
	merge_notes_finish(&m->notes, &m->out);
	note_losses(m);
	merge_series_finish(&m->series, &m->out);
	result_finish(&m->out);
	if (ret || m->out.failed)
		return diag_no_memory(d);
	*out = m->out;
	m->out = (struct result){ 0 };
	return 0;
}
