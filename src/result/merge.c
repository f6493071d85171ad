#include "merge.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "files.h"
#include "hosts.h"
#include "merge_series.h"
#include "rate_steps.h"
#include "vec.h"

/* The limit of the different notes of all results together. Notes beyond it are only counted. */
#define NOTES_MAX 200
/* The most priorities of a sum. It has up to two histograms for each. */
#define PRIOS_MAX 256
/* The largest count. With this limit the sum of the seven rows of a distribution fits 64 bits. */
#define COUNT_MAX ((uint64_t)1 << 61)

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
	size_t results, entries, rounded, both, no_bins, with_files;
	bool no_prios; /* there were too many */
	bool no_cpu;   /* an entry does not know the CPU time of its I/Os */
	struct {
		struct merge_note {
			const char *text, *host; /* host: the first one with this note */
			size_t hosts;
		} * v;
		size_t n, cap;
	} notes;
	size_t notes_left_out;
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
	free(m->notes.v);
	result_free(&m->out);
	free(m);
}

/* ---- one entry ---- */

__extension__ typedef unsigned __int128 u128;

/* Returns whether two lists of n counts add up to at most COUNT_MAX each. */
static bool lists_fit(const uint64_t *a, const uint64_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] > COUNT_MAX || b[i] > COUNT_MAX - a[i])
			return false;
	return true;
}

/* The sums of several moments. sq counts units of 2^64, rounded up. */
struct totals {
	u128 n, sum, sq;
};

static void add_totals(struct totals *t, const struct moments *m)
{
	t->n += m->n;
	t->sum += m->sum;
	t->sq += (u128)m->sq_hi + 1;
}

static bool totals_fit(const struct totals *t)
{
	return t->n <= UINT64_MAX && t->sum <= UINT64_MAX && t->sq <= UINT64_MAX;
}

/* Returns whether the moments of both fit when all directions are mixed. */
static bool moments_fit(const struct snapshot *a, const struct snapshot *b, unsigned kind)
{
	struct totals all = { 0 };

	for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
		add_totals(&all, &a->st->dir[dir].lat[kind]);
		add_totals(&all, &b->st->dir[dir].lat[kind]);
	}
	return totals_fit(&all);
}

static void add_prio_totals(struct totals *t, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->layout.nprio; i++)
		for (unsigned dir = 0; dir < WSTAT_PRIO_DIRS; dir++)
			add_totals(t, &wstat_prios(s->st, &s->layout)[i].lat[dir]);
}

static bool dirs_fit(const struct wstat_dir *a, const struct wstat_dir *b)
{
	const uint64_t to[] = { a->ios, a->bytes, a->errors, a->short_ios, a->drop_ios };
	const uint64_t from[] = { b->ios, b->bytes, b->errors, b->short_ios, b->drop_ios };

	return lists_fit(to, from, sizeof(to) / sizeof(*to));
}

/* Returns whether the counts fit their 64 bits when they are added. All members of struct wcount are 64-bit
   counts. */
static bool counts_fit(const struct snapshot *to, const struct snapshot *from)
{
	struct totals prios = { 0 };
	bool fit = lists_fit((const uint64_t *)&to->cnt, (const uint64_t *)&from->cnt,
			     sizeof(to->cnt) / sizeof(uint64_t)) &&
		   to->members <= UINT32_MAX - from->members;

	if (!to->st || !from->st)
		return fit;
	for (unsigned dir = 0; dir < DIR_COUNT; dir++)
		fit = fit && dirs_fit(&to->st->dir[dir], &from->st->dir[dir]);
	for (unsigned kind = 0; kind < LAT_KINDS; kind++)
		fit = fit && moments_fit(to, from, kind);
	add_prio_totals(&prios, to);
	add_prio_totals(&prios, from);
	return fit && totals_fit(&prios);
}

static bool rows_fit(const struct samples *s)
{
	for (unsigned i = 0; i < SAMPLE_ROWS; i++)
		if (!isfinite(s[i].min) || !isfinite(s[i].max) || !isfinite(s[i].sum) || !isfinite(s[i].sq))
			return false;
	return true;
}

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
	if (!counts_fit(to, one))
		return -EOVERFLOW;
	ret = snap_add(to, one);
	add_rows(to->bw, one->bw);
	add_rows(to->iops, one->iops);
	limit_prios(m, to);
	return ret ? ret : rows_fit(to->bw) && rows_fit(to->iops) ? 0 : -EOVERFLOW;
}

static int add_counts(struct result_merge *m, const struct result_job *job, struct diag *d)
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
		all->error_text = arena_printf(&m->out.mem, "%s: %s", job->hostname,
					       job->error_text ? job->error_text : diag_errno(job->error));
		m->out.failed |= !all->error_text;
	}
	all->continue_on_error |= job->continue_on_error;
	all->iodepth = first || all->iodepth == job->iodepth ? job->iodepth : 0;
	all->elapsed_s = job->elapsed_s > all->elapsed_s ? job->elapsed_s : all->elapsed_s;
	all->rate_sleeps += job->rate_sleeps;
	all->zoned |= job->zoned;
	all->zone_resets += job->zone_resets;
	all->lost_ios_total += job->lost_ios_total;
	if (job->start_ms && (!all->start_ms || job->start_ms < all->start_ms))
		all->start_ms = job->start_ms;
	m->both += job->both;
}

/* Drops the bins of files, which only the percentiles needed. */
static void drop_file_bins(struct result_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		for (unsigned dir = 0; dir < DIR_COUNT; dir++)
			if (f->file[i].dir[dir])
				f->file[i].dir[dir]->bins.n = 0;
}

static bool files_fit(const struct result_files *f)
{
	struct wstat_dir sum[DIR_COUNT] = { 0 };
	struct totals lat[FILE_LATS] = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		for (unsigned dir = 0; dir < DIR_COUNT; dir++) {
			const struct file_dir *d = f->file[i].dir[dir] ? &f->file[i].dir[dir]->counts : NULL;
			const struct wstat_dir one = d ? (struct wstat_dir){ .ios = d->ios,
									     .bytes = d->bytes,
									     .short_ios = d->short_ios,
									     .errors = d->errors }
						       : (struct wstat_dir){ 0 };

			if (!dirs_fit(&sum[dir], &one))
				return false;
			wstat_dir_merge(&sum[dir], &one);
			for (unsigned k = 0; k < FILE_LATS && d; k++)
				add_totals(&lat[k], &d->lat[k]);
		}
	}
	return totals_fit(&lat[FILE_CLAT]) && totals_fit(&lat[FILE_LAT]);
}

/* Adds the files of an entry to its own copy, and to the sum under the name of the host, because the same
   path on another host is another file. */
static int add_files(struct result_merge *m, struct result_job *own, const struct result_job *job)
{
	struct result_files *all = &m->all.files;
	bool first = !m->with_files;

	if (!job->files.on)
		return 0;
	m->with_files++;
	own->files.on = all->on = true;
	own->files.percentiles = job->files.percentiles;
	own->files.lat = job->files.lat;
	result_files_merge(&m->out, &own->files, &job->files, NULL, own->sum.percentiles);
	result_files_finish(&m->out, &own->files, &own->sum);
	if (!m->bins)
		drop_file_bins(&own->files);
	all->percentiles = first ? job->files.percentiles
				 : all->percentiles && job->files.percentiles && all->lat == job->files.lat;
	all->lat = job->files.lat;
	result_files_merge(&m->out, all, &job->files, own->hostname, 0);
	return files_fit(all) ? 0 : -EOVERFLOW;
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
		memset(copy.prios, 0, sizeof(copy.prios));
	}
	own = result_add_job(&m->out, &copy);
	if (!own || m->out.failed)
		return -ENOMEM;
	describe_all(m, own);
	m->entries++;
	ret = rate_steps_add(&m->rate_steps, job);
	if (ret == -EOVERFLOW)
		return diag_err(d, ret, "%s: the counts of the steps of rate_steps are too large to be added",
				job->name ? job->name : "");
	ret = ret ? ret : add_counts(m, job, d);
	if (!ret && add_files(m, own, job))
		ret = diag_err(d, -EOVERFLOW, "%s: the counts of files are too large to be added",
			       job->name ? job->name : "");
	return ret;
}

/* ---- the results around the entries ---- */

static struct merge_note *find_note(struct result_merge *m, const char *text)
{
	for (size_t i = 0; i < m->notes.n; i++)
		if (!strcmp(m->notes.v[i].text, text))
			return &m->notes.v[i];
	return NULL;
}

/* Adds the notes of a host. A note that several hosts have is listed once. */
static void add_notes(struct result_merge *m, const struct notes *notes, const char *host)
{
	for (size_t i = 0; i < notes->count; i++) {
		struct merge_note *note = find_note(m, notes->line[i]), one = { .hosts = 1 };

		if (note) {
			note->hosts++;
			continue;
		}
		if (m->notes.n == NOTES_MAX) {
			m->notes_left_out++;
			continue;
		}
		one.text = arena_strdup(&m->out.mem, notes->line[i]);
		one.host = arena_strdup(&m->out.mem, host);
		if (!one.text || !one.host || !VEC_PUSH(&m->notes, one))
			m->out.failed = true;
	}
}

static void put_merged_notes(struct result_merge *m)
{
	for (size_t i = 0; i < m->notes.n; i++) {
		const struct merge_note *note = &m->notes.v[i];

		if (note->hosts > 1)
			result_note(&m->out, "%s and %zu more: %s", note->host, note->hosts - 1, note->text);
		else
			result_note(&m->out, "%s: %s", note->host, note->text);
	}
}

static const char *copy(struct result *r, const char *text)
{
	const char *own = text ? arena_strdup(&r->mem, text) : NULL;

	r->failed |= text && !own;
	return own;
}

static void env_text(struct result *r, const char **all, const char *one, const char *mixed, bool first)
{
	if (first)
		*all = copy(r, one);
	else if (*all && (!one || strcmp(*all, one) != 0))
		*all = mixed;
}

/* Describes the machines by the facts that they have in common. */
static void add_env(struct result *out, const struct result_env *e, bool first)
{
	struct result_env *all = &out->env;

	env_text(out, &all->host, e->host, "several", first);
	env_text(out, &all->os, e->os, "mixed", first);
	env_text(out, &all->kernel, e->kernel, "mixed", first);
	env_text(out, &all->arch, e->arch, "mixed", first);
	env_text(out, &all->cpu, e->cpu, "mixed", first);
	all->cpus = first || all->cpus == e->cpus ? e->cpus : 0;
	all->memory_bytes = first || all->memory_bytes == e->memory_bytes ? e->memory_bytes : 0;
}

static void add_self(struct result_self *all, const struct result_self *s)
{
	all->wall_ns = s->wall_ns > all->wall_ns ? s->wall_ns : all->wall_ns;
	all->max_rss_bytes = s->max_rss_bytes > all->max_rss_bytes ? s->max_rss_bytes : all->max_rss_bytes;
	all->user_us += s->user_us;
	all->sys_us += s->sys_us;
	all->children_user_us += s->children_user_us;
	all->children_sys_us += s->children_sys_us;
	all->region_bytes += s->region_bytes;
}

static bool same_globals(const struct result *a, const struct result *b)
{
	for (size_t i = 0; a->globals == b->globals && i < a->globals; i++)
		if (strcmp(a->global[i].name, b->global[i].name) != 0 ||
		    strcmp(a->global[i].value, b->global[i].value) != 0)
			return false;
	return a->globals == b->globals;
}

/* Keeps the global options if all results have the same ones. */
static void add_globals(struct result *out, const struct result *r, bool first)
{
	if (first)
		result_globals(out, r->global, r->globals);
	else if (!same_globals(out, r))
		out->globals = 0;
}

static void add_exit(struct result *out, const struct result_exit *e)
{
	for (unsigned i = 0; i < e->count; i++)
		result_exit_code(out, e->all[i]);
	if (!out->exit.signal && e->signal) {
		out->exit.signal = e->signal;
		out->exit.ran_ns = e->ran_ns;
	}
}

static bool has_disk(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->disks; i++)
		if (!strcmp(r->disk[i].name, name))
			return true;
	return false;
}

/* Returns whether r is of a rank that shares its host with other ranks, which its name shows. */
static bool shares_host(const struct result *r)
{
	return !r->client_stats && r->hosts.n == 1 && r->env.host &&
	       strcmp(r->hosts.v[0].hostname, r->env.host) != 0;
}

/* Adds the disks of a host as DISK@HOST. Ranks on one host have counted the same I/Os of a disk, so it is
   added once. */
static void add_disks(struct result *out, const struct result *r, const char *host)
{
	bool shared = shares_host(r);

	for (size_t i = 0; i < r->disks; i++) {
		struct result_disk d = r->disk[i];

		if (!r->client_stats)
			d.name = arena_printf(&out->mem, "%s@%s", d.name, host);
		out->failed |= !d.name;
		if (d.name && !(shared && has_disk(out, d.name)))
			result_add_disk(out, &d);
	}
}

static void add_hosts(struct result *out, const struct result *r)
{
	for (size_t i = 0; i < r->hosts.n; i++)
		result_add_host(out, &r->hosts.v[i]);
}

static const char *machine_of(const struct result *r, const char *host)
{
	return r->env.host && *r->env.host && !r->client_stats ? r->env.host : host;
}

static void add_frame(struct result_merge *m, const struct result *r, const char *host)
{
	bool first = !m->results++;

	add_env(&m->out, &r->env, first);
	add_self(&m->out.self, &r->self);
	add_globals(&m->out, r, first);
	add_exit(&m->out, &r->exit);
	add_disks(&m->out, r, machine_of(r, host));
	add_hosts(&m->out, r);
	add_notes(m, &r->notes, host);
	m->out.plan.workers += r->plan.workers;
	m->out.plan.processes += r->plan.processes;
	m->out.plan.threads += r->plan.threads;
	if (r->timestamp_ms > m->out.timestamp_ms)
		m->out.timestamp_ms = r->timestamp_ms;
}

/* Returns the number of entries, without the sum at the end of a merged result. */
static size_t own_entries(const struct result *r)
{
	if (r->client_stats && r->jobs && !r->job[r->jobs - 1]->hostname)
		return r->jobs - 1;
	return r->jobs;
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
		add_hosts(&m->out, r);
		add_notes(m, &r->notes, host);
		result_note(&m->out, "%s: the result has no jobs", host);
		return 0;
	}
	add_frame(m, r, host);
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_entry(m, r->job[i], host, d);
	if (!ret)
		ret = merge_series_add(&m->series, r);
	if (ret == -ENOMEM || m->out.failed)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
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

static void set_shares(double *to, const double *from, unsigned n, uint64_t ios)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = ios ? from[i] / (double)ios : 0;
}

/* Sets the shares of latencies from those of the entries, where bins are missing or fio has not counted the
   shares by its bins. */
static void set_cells(struct summary *s, const struct cells *c)
{
	set_shares(s->lat_ns, c->ns, SUMMARY_LAT_CELLS, c->ios);
	set_shares(s->lat_us, c->us, SUMMARY_LAT_CELLS, c->ios);
	set_shares(s->lat_ms, c->ms, SUMMARY_LAT_MS_CELLS, c->ios);
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
	if (m->notes_left_out)
		result_note(&m->out, "%zu more notes are in the documents of the hosts", m->notes_left_out);
}

/* Adds the files of all entries to the sum, unless some entries have no counts of files. */
static void set_all_files(struct result_merge *m, struct result_job *all)
{
	if (!m->with_files)
		return;
	if (m->with_files < m->entries) {
		result_note(&m->out, "%zu of %zu entries have no counts of files, so \"%s\" has none",
			    m->entries - m->with_files, m->entries, MERGE_ALL_CLIENTS);
		return;
	}
	all->files = m->all.files;
	if (m->all.mixed)
		result_files_mix(&m->out, &all->files);
	result_files_finish(&m->out, &all->files, &all->sum);
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
	set_all_files(m, all);
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
	put_merged_notes(m);
	note_losses(m);
	merge_series_finish(&m->series, &m->out);
	result_finish(&m->out);
	if (ret || m->out.failed)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory");
	*out = m->out;
	m->out = (struct result){ 0 };
	return 0;
}
