#include "figure_lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files.h"
#include "nearest.h"

/* ---- the steps of rate_steps ---- */

static size_t count_steps(const struct figure_place *p)
{
	return p->job->rate_steps.steps;
}

static const void *step_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct result_rate_step *step = &p->job->rate_steps.step[i];
	const struct step_lat_figures *lat;

	(void)room;
	if (p->figure->of == FIGURE_STEP)
		return step;
	if (p->figure->of == FIGURE_STEP_DIR)
		return &step->dir[p->dir];
	lat = &step->dir[p->dir].lat[p->kind == LAT_RESP ? STEP_RESP : STEP_CLAT].sum;
	return lat->n && (p->figure->needs != NEEDS_STEP_BINS || lat->percentile[STEP_P50]) ? lat : NULL;
}

/* A step with a rate in which nothing completed has stalled. */
static bool step_is_idle(const struct figure_place *p, size_t i)
{
	return !p->job->rate_steps.step[i].dir[p->dir].rate;
}

/* ---- files (per_file_stats) ---- */

static size_t count_files(const struct figure_place *p)
{
	return p->job->files.n;
}

static const void *file_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct result_files *f = &p->job->files;
	const struct result_file_dir *dir = f->file[i].dir[p->dir];
	enum file_lat lat = p->kind == LAT_LAT && p->dir != DIR_SYNC ? FILE_LAT : FILE_CLAT;

	if (!dir || p->figure->of == FIGURE_FILE)
		return dir ? &dir->counts : NULL;
	room->lat = result_file_lat(f, &f->file[i], p->dir, lat, p->job->sum.percentiles);
	return room->lat.n ? &room->lat : NULL;
}

static bool is_idle(const struct figure_place *p, size_t i)
{
	(void)p;
	(void)i;
	return true;
}

static const char *file_name(const struct figure_place *p, size_t i, union figure_room *room)
{
	(void)room;
	return p->job->files.file[i].path;
}

/* ---- priorities ---- */

static size_t count_prios(const struct figure_place *p)
{
	return p->job->prios[p->dir];
}

static const void *prio_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct summary_lat *lat = &p->job->prio[p->dir][i].sum.lat;

	(void)room;
	return lat->n ? lat : NULL;
}

/* ---- the search for latency_target ---- */

static size_t count_depths(const struct figure_place *p)
{
	return p->job->latency_target.steps;
}

static const void *depth_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	(void)room;
	return &p->job->latency_target.step[i];
}

/* ---- the samples of steadystate ---- */

static size_t count_samples(const struct figure_place *p)
{
	return p->job->steady.samples;
}

static const void *sample_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct result_steady *s = &p->job->steady;

	room->sample = (struct figure_sample){ s->iops ? s->iops[i] : 0, s->bw ? s->bw[i] : 0,
					       s->lat ? s->lat[i] : 0 };
	return &room->sample;
}

/* ---- lost I/Os, and damage that verification found ---- */

static size_t count_lost(const struct figure_place *p)
{
	return p->job->lost_ios;
}

static const void *lost_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	(void)room;
	return &p->job->lost_io[i];
}

static size_t count_damage(const struct figure_place *p)
{
	return p->job->verify.damages;
}

static const void *damage_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	(void)room;
	return &p->job->verify.damage[i];
}

/* ---- the series ---- */

static size_t count_intervals(const struct figure_place *p)
{
	return p->res->series.data.group[p->part].cells.n;
}

static void set_latency(struct figure_interval_lat *to, const struct ival_lat *l)
{
	double tenths = l->n ? floor((double)(l->sum % l->n) * 10 / (double)l->n) : 0;

	*to = (struct figure_interval_lat){ l->n, l->min, l->max, 0 };
	if (l->n)
		to->mean = (double)(l->sum / l->n) + tenths / 10;
}

static const void *interval_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct series *s = &p->res->series.data;
	enum lat_kind kind = s->group[p->part].kind;
	static const struct ival_lat none;
	const struct ival_lat *lat;
	struct figure_interval *to = &room->interval;
	const struct ival_dir *dir;
	struct ival v;

	series_get(s, (unsigned)p->part, i, &v);
	dir = &v.dir[p->dir];
	lat = kind < LAT_KINDS ? &dir->lat[kind] : &none;
	*to = (struct figure_interval){ .ios = dir->ios, .bytes = dir->bytes, .errors = dir->errors };
	set_latency(&to->lat, lat);
	set_latency(&to->resp, &dir->lat[LAT_RESP]);
	if (p->figure->needs == NEEDS_IO && !lat->n)
		return NULL;
	return p->figure->needs == NEEDS_RATE && !dir->lat[LAT_RESP].n ? NULL : to;
}

/* ---- hosts ---- */

static size_t count_waves(const struct figure_place *p)
{
	return p->res->hosts.v[p->part].waves;
}

static const void *wave_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct result_host_wave *wave = &p->res->hosts.v[p->part].wave[i];

	(void)room;
	return p->figure->needs == NEEDS_LATENESS && !wave->late_known ? NULL : wave;
}

/* ---- CPUs ---- */

static size_t count_cpus(const struct figure_place *p)
{
	return p->res->idle.cpus;
}

static const void *cpu_at(const struct figure_place *p, size_t i, union figure_room *room)
{
	(void)room;
	return &p->res->idle.cpu[i];
}

static const char *cpu_name(const struct figure_place *p, size_t i, union figure_room *room)
{
	snprintf(room->name, sizeof(room->name), "%u", p->res->idle.cpu[i].number);
	return room->name;
}

#define OF(what)   (1u << FIGURE_##what)
#define KIND(what) (1u << LAT_##what)

const struct figure_list figure_lists[] = {
	{ LIST_STEPS, PART_JOB, "rate_steps.steps", "rate_steps", OF(STEP) | OF(STEP_DIR) | OF(STEP_LAT),
	  KIND(CLAT) | KIND(RESP), false, "the job has no steps", count_steps, step_at, step_is_idle, NULL },
	{ LIST_FILES, PART_JOB, "files", NULL, OF(FILE) | OF(LAT), KIND(CLAT) | KIND(LAT), false,
	  "the job counted no files", count_files, file_at, is_idle, file_name },
	{ LIST_PRIOS, PART_JOB, "prios", NULL, OF(LAT), KIND(CLAT) | KIND(LAT), true,
	  "the I/Os had one priority, or there were none", count_prios, prio_at, is_idle, NULL },
	{ LIST_DEPTHS, PART_JOB, "latency_target.steps", "latency_target", OF(DEPTH_STEP), 0, false,
	  "no depth was searched", count_depths, depth_at, is_idle, NULL },
	{ LIST_SAMPLES, PART_JOB, NULL, NULL, OF(SAMPLE), 0, false, "steadystate has no sample",
	  count_samples, sample_at, is_idle, NULL },
	{ LIST_LOST, PART_JOB, "lost_io", NULL, OF(LOST), 0, false, "no I/O was lost", count_lost, lost_at,
	  is_idle, NULL },
	{ LIST_DAMAGE, PART_JOB, "verify.damage", NULL, OF(DAMAGE), 0, false, "no block was damaged",
	  count_damage, damage_at, is_idle, NULL },
	{ LIST_INTERVALS, PART_GROUP, NULL, NULL, OF(INTERVAL), 0, false, "no I/O was measured",
	  count_intervals, interval_at, is_idle, NULL },
	{ LIST_WAVES, PART_HOST, "waves", NULL, OF(WAVE), 0, false, "the rank measured nothing", count_waves,
	  wave_at, is_idle, NULL },
	{ LIST_CPUS, PART_RUN, NULL, NULL, OF(CPU), 0, false, "the run has no idle times of single CPUs",
	  count_cpus, cpu_at, is_idle, cpu_name },
};

const struct figure_list *figure_list_of(const struct figure *figure)
{
	for (unsigned i = 0; i < FIGURE_LISTS; i++)
		if (!figure_lists[i].key && figure_lists[i].of & 1u << figure->of)
			return &figure_lists[i];
	return NULL;
}

const char *figure_list_nearest(const char *path)
{
	const char *keys[2 * FIGURE_LISTS + 1] = { 0 }, *bracket = strchr(path, '['), *at = bracket, *near;
	unsigned n = 0;
	char *word;

	for (unsigned i = 0; i < FIGURE_LISTS; i++) {
		if (figure_lists[i].key)
			keys[n++] = figure_lists[i].key;
		if (figure_lists[i].alias)
			keys[n++] = figure_lists[i].alias;
	}
	while (at > path && at[-1] != '.')
		at--;
	word = bracket ? strndup(at, (size_t)(bracket - at)) : NULL;
	near = word ? nearest_word(keys, word) : NULL;
	free(word);
	return near;
}
