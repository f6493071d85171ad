/* read_job.c: reads the entry of a job. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "counts.h"
#include "read_parts.h"
#include "vec.h"

/* Keeps sums over directions and documents below 2^64. */
#define COUNT_MAX ((uint64_t)1 << 62)

/* ---- priorities ---- */

static void read_prio(struct reader *rd, const struct read_object *o, struct result_job *j,
		      struct result_prio *p)
{
	read_unsigned(rd, o, "prioclass", &p->sum.class);
	read_unsigned(rd, o, "prio", &p->sum.level);
	read_unsigned(rd, o, "priohint", &p->sum.hint);
	if (p->sum.class > 7 || p->sum.level > 7 || p->sum.hint > 1023)
		read_fail(rd, -ERANGE, NULL, "there is no such priority");
	j->prio_kind = read_has(o, "lat_ns") ? LAT_LAT : LAT_CLAT;
	read_lat(rd, o, j->prio_kind == LAT_LAT ? "lat_ns" : "clat_ns", j, &p->sum.lat, &p->bins);
}

static void set_prio_shares(struct result_prio *v, unsigned n)
{
	double total = 0;

	for (unsigned i = 0; i < n; i++)
		total += (double)v[i].sum.lat.n;
	for (unsigned i = 0; i < n && total > 0; i++)
		v[i].sum.share = 100.0 * (double)v[i].sum.lat.n / total;
}

#define PRIOS_MAX 64

static void read_prios(struct reader *rd, const struct read_object *dir, struct result_job *j, unsigned d)
{
	struct json_iter it = read_array(rd, dir, "prios");
	struct result_prio *v = NULL;
	struct read_object o;
	unsigned n = 0;

	while (!rd->err && json_next(&it)) {
		if (!v)
			v = arena_array(&rd->scratch, PRIOS_MAX, sizeof(*v));
		if (!v || n == PRIOS_MAX) {
			read_fail(rd, -EINVAL, "prios", "there are too many priorities");
			return;
		}
		if (!read_open_at(rd, &o, it.value, "prios", n))
			return;
		v[n].sum.index = n;
		read_prio(rd, &o, j, &v[n++]);
		read_close(rd, &o);
	}
	if (v)
		set_prio_shares(v, n);
	j->prios[d] = v;
	j->nprios[d] = n;
}

/* ---- directions ---- */

/* min and max are printed without their fraction, so the mean may lie outside them. */
static void read_sampled(struct reader *rd, const struct read_object *o, struct summary_dir *to)
{
	read_figures(rd, o, figures_dir_rows, to);
	if (!to->bw_row.n)
		to->bw_row = (struct summary_rate){ 0 };
	if (!to->iops_row.n)
		to->iops_row = (struct summary_rate){ 0 };
}

static uint64_t ms_to_ns(struct reader *rd, const char *key, uint64_t ms)
{
	uint64_t ns = 0;

	if (__builtin_mul_overflow(ms, (uint64_t)1000000, &ns))
		read_fail(rd, -ERANGE, key, "this is too large");
	return ns;
}

static void read_dir(struct reader *rd, const struct read_object *job, const char *key, struct result_job *j,
		     unsigned d, struct summary_dir *to, struct result_bins bins[LAT_KINDS])
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, key))
		return;
	read_figures(rd, &o, figures_dir, to);
	if (to->bytes > COUNT_MAX || to->ios > COUNT_MAX)
		read_fail(rd, -ERANGE, NULL, "io_bytes or total_ios is too large");
	to->runtime_ns = ms_to_ns(rd, "runtime", to->runtime_ms);
	summary_set_exact(to);
	read_lat(rd, &o, "slat_ns", j, &to->lat[LAT_SLAT], &bins[LAT_SLAT]);
	read_lat(rd, &o, "clat_ns", j, &to->lat[LAT_CLAT], &bins[LAT_CLAT]);
	read_lat(rd, &o, "lat_ns", j, &to->lat[LAT_LAT], &bins[LAT_LAT]);
	if (d < DIR_DATA)
		read_prios(rd, &o, j, d);
	read_sampled(rd, &o, to);
	read_close(rd, &o);
}

static void read_sync(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "sync"))
		return;
	read_u64(rd, &o, "total_ios", &j->sum.sync_ios);
	read_lat(rd, &o, "lat_ns", j, &j->sum.sync, &j->bins[DIR_SYNC][LAT_CLAT]);
	read_close(rd, &o);
}

/* As in fio, "mixed" replaces the directions, or stands beside them. */
static void read_dirs(struct reader *rd, const struct read_object *o, struct result_job *j)
{
	bool mixed = read_has(o, "mixed"), dirs = false;

	for (unsigned d = 0; d < DIR_DATA; d++)
		dirs |= read_has(o, counts_dir_name[d]);
	j->mixed = mixed && !dirs;
	j->both = mixed && dirs;
	if (!mixed && !dirs)
		read_fail(rd, -EINVAL, NULL, "there is no \"read\", \"write\", \"trim\" or \"mixed\"");
	for (unsigned d = 0; d < DIR_DATA; d++)
		read_dir(rd, o, counts_dir_name[d], j, d, &j->sum.dir[d], j->bins[d]);
	read_sync(rd, o, j);
	if (j->mixed)
		read_dir(rd, o, "mixed", j, DIR_READ, &j->sum.dir[DIR_READ], j->bins[DIR_READ]);
	else if (j->both)
		read_dir(rd, o, "mixed", j, DIR_COUNT, &j->sum_both, j->bins_both);
}

/* ---- the rest of fio's keys ---- */

static void read_eta(struct reader *rd, const struct read_object *o, struct result_job *j)
{
	j->eta_s = INT_MAX;
	read_u64(rd, o, "eta", &j->eta_s);
	j->eta_known = j->eta_s != INT_MAX;
	if (!j->eta_known)
		j->eta_s = 0;
}

/* fio's keys: latency_depth is the depth found. */
static void read_latency_target(struct reader *rd, const struct read_object *o,
				struct result_latency_target *t)
{
	uint64_t window_us = 0;

	read_u64(rd, o, "latency_target", &t->target_ns);
	if (!t->target_ns)
		return;
	t->on = true;
	read_unsigned(rd, o, "latency_depth", &t->depth);
	read_positive(rd, o, "latency_percentile", &t->percentile);
	read_u64(rd, o, "latency_window", &window_us);
	t->window_ns = window_us < UINT64_MAX / 1000 ? window_us * 1000 : UINT64_MAX;
}

static bool names_host(const char *option)
{
	return option && (!strcmp(option, "hostname") || !strcmp(option, "port"));
}

static const struct result_opt *option_list(struct reader *rd, struct json_iter it, const char *key,
					    bool host, size_t *n)
{
	VEC(struct result_opt) list = { 0 };
	struct result_opt *v;

	while (!rd->err && json_next(&it) && read_charge(rd, 4 * sizeof(*list.v))) {
		struct result_opt opt = { read_string(rd, key, it.key, &rd->scratch), NULL };

		if (host && names_host(opt.name))
			continue;
		opt.value = read_string(rd, opt.name, it.value, &rd->scratch);
		if (!VEC_PUSH(&list, opt))
			read_fail(rd, -ENOMEM, NULL, "out of memory");
	}
	v = arena_array(&rd->scratch, list.n + 1, sizeof(*v));
	if (v && list.n)
		memcpy(v, list.v, list.n * sizeof(*v));
	*n = v ? list.n : 0;
	free(list.v);
	return v;
}

const struct result_opt *read_options(struct reader *rd, const struct read_object *o, const char *key,
				      size_t *n)
{
	return option_list(rd, read_members(rd, o, key), key, false, n);
}

const struct result_opt *read_host_options(struct reader *rd, struct json host, const char *key, size_t *n)
{
	if (json_kind(host) != JSON_OBJECT)
		read_fail(rd, -EINVAL, key, "this is not an array of objects");
	return option_list(rd, json_iter(host), key, true, n);
}

/* ---- fiord's own keys ---- */

static void read_dirs_of_fiord(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	for (unsigned d = 0; d < DIR_DATA; d++) {
		struct summary_dir *dir = &j->sum.dir[d];
		struct read_object o;

		if (!read_open_key(rd, &o, fiord, j->mixed && !d ? "mixed" : counts_dir_name[d]))
			continue;
		read_figures(rd, &o, figures_dir_exact, dir);
		read_lat(rd, &o, "resp_ns", j, &dir->lat[LAT_RESP], &j->bins[d][LAT_RESP]);
		read_figures(rd, &o, figures_dir_rate, dir);
		read_close(rd, &o);
	}
}

/* Reads jobs[].fiord, but for its lists. */
static void read_job_fiord(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "fiord"))
		return;
	read_figures(rd, &o, figures_job_fiord, j);
	read_figures(rd, &o, figures_job_lost, j);
	read_figures(rd, &o, figures_job_blocks, j);
	read_figures(rd, &o, figures_job_verify, j);
	read_dirs_of_fiord(rd, &o, j);
	read_figures(rd, &o, figures_job_steady_exact, j);
	read_figures(rd, &o, figures_job_target, j);
	read_figures(rd, &o, figures_job_split, j);
	read_figures(rd, &o, figures_job_others, j);
	if (j->latency_target.on && j->latency_target.iodepth)
		j->iodepth = j->latency_target.iodepth;
	read_rate_steps(rd, &o, j);
	read_figures(rd, &o, figures_job_placement, j);
	read_figures(rd, &o, figures_job_placed, j);
	read_figures(rd, &o, figures_job_self, j);
	read_notes(rd, &o, j);
	read_counts(rd, &o, j);
	read_close(rd, &o);
}

/* Damage has a text, too, and both of its values or none. */
static void describe_damage(struct reader *rd, struct result_damage *d)
{
	d->text = d->kind;
	if (d->expected && d->found)
		d->text = arena_printf(&rd->r->mem, "%s: %s expected, %s found", d->kind, d->expected,
				       d->found);
	else
		d->expected = d->found = NULL;
	if (!d->text)
		read_fail(rd, -ENOMEM, NULL, "out of memory");
}

/* Reads its lists of lost I/Os, damage and files, and adds them to a job of the result. */
static void read_job_lists(struct reader *rd, const struct read_object *job, struct result_job *j)
{
	struct read_object o;

	if (!read_open_key(rd, &o, job, "fiord"))
		return;
	read_figures(rd, &o, figures_job_lost_io, j);
	read_figures(rd, &o, figures_job_damage, j);
	for (unsigned i = 0; i < j->verify.ndamages; i++)
		describe_damage(rd, &j->verify.damages[i]);
	read_files(rd, &o, j);
	read_close(rd, &o);
}

/* ---- the job ---- */

/* Sets the percentiles of the summary: those that the latencies have, or that the job asked for. */
static void set_percentiles(struct result_job *j, const struct summary_cfg *found)
{
	const struct summary_cfg *cfg = found->npercentiles ? found : &j->counts.cfg;
	struct snapshot none = { 0 };
	struct summary s;

	summary_from(&s, &none, cfg);
	j->sum.npercentiles = s.npercentiles;
	j->sum.percentile_decimals = s.percentile_decimals;
	memcpy(j->sum.percentiles, s.percentiles, sizeof(s.percentiles));
	for (unsigned k = 0; k < LAT_KINDS; k++) {
		for (unsigned d = 0; d < DIR_DATA; d++)
			j->sum.print_percentiles[k] |= j->sum.dir[d].lat[k].percentiles;
	}
}

static void read_entry(struct reader *rd, const struct read_object *o, struct result_job *j)
{
	read_figures(rd, o, figures_job_apart, j);
	read_eta(rd, o, j);
	j->options = read_options(rd, o, "job options", &j->noptions);
	read_dirs(rd, o, j);
	read_figures(rd, o, figures_job, j);
	ms_to_ns(rd, "job_runtime", j->sum.job_runtime_ms);
	read_unsigned(rd, o, "latency_depth", &j->iodepth);
	read_figures(rd, o, figures_job_description, j);
	read_figures(rd, o, figures_job_steady, j);
	read_figures(rd, o, figures_job_zones, j);
	read_latency_target(rd, o, &j->latency_target);
	read_job_fiord(rd, o, j);
	j->sum.members = j->members ? j->members : 1;
	set_percentiles(j, &rd->cfg);
	if (!j->counts.known)
		estimate_counts(j);
}

void read_job(struct reader *rd, struct json v, const char *array, size_t index)
{
	struct result_job j = { .name = "" }, *added;
	struct read_object o;

	rd->cfg = (struct summary_cfg){ 0 };
	rd->contradiction = false;
	if (!read_charge(rd, sizeof(j)) || !read_open_at(rd, &o, v, array, index))
		return;
	read_entry(rd, &o, &j);
	added = rd->err ? NULL : result_add_job(rd->r, &j);
	if (added)
		read_job_lists(rd, &o, added);
	notes_fini(&j.notes);
	arena_fini(&rd->scratch);
	read_close(rd, &o);
}
