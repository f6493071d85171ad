#include "figure_lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files.h"
#include "nearest.h"

#define OF(what)   (1u << FIGURE_##what)
#define KIND(what) (1u << LAT_##what)
/* The array `v` of n entries in a struct. */
#define ARRAY(type, v, n)                                               \
	offsetof(struct type, v), sizeof(*((struct type *)0)->v),       \
	{                                                               \
		offsetof(struct type, n), sizeof(((struct type *)0)->n) \
	}

/* clang-format off */
const struct figure_list figure_lists[] = {
	[LIST_JOBS] = { PART_JOB, "jobs", "client_stats", OF(LAT) | OF(DIR) | OF(JOB) | OF(SAMPLE), ~0u, .named = true },
	[LIST_DISKS] = { PART_DISK, "disk_util", NULL, OF(DISK), .named = true },
	[LIST_RUN] = { PART_RUN, NULL, NULL, OF(RUN) | OF(CPU) },
	[LIST_HOSTS] = { PART_HOST, "fiord.hosts", NULL, OF(HOST), .named = true },
	[LIST_GROUPS] = { PART_GROUP, "fiord.series.groups", "fiord.series.jobs", OF(INTERVAL), .named = true },
	[LIST_STEPS] = { PART_JOB, "rate_steps.steps", "rate_steps", OF(STEP) | OF(STEP_DIR) | OF(STEP_LAT),
		KIND(CLAT) | KIND(RESP), false, false, "the job has no steps", "has no rate_steps",
		ARRAY(result_job, rate_steps.steps, rate_steps.nsteps) },
	[LIST_FILES] = { PART_JOB, "files", NULL, OF(FILE) | OF(LAT), KIND(CLAT) | KIND(LAT), false, true,
		"the job counted no files", "does not count its files (per_file_stats)",
		ARRAY(result_job, files.file, files.n) },
	[LIST_PRIOS] = { PART_JOB, "prios", NULL, OF(LAT), KIND(CLAT) | KIND(LAT), true, false,
		"the I/Os had one priority, or there were none",
		"gives all I/Os one priority (cmdprio_percentage, cmdprio_bssplit)",
		ARRAY(result_job, prios[0], nprios[0]) },
	[LIST_DEPTHS] = { PART_JOB, "latency_target.steps", "latency_target", OF(DEPTH_STEP), 0, false, false,
		"no depth was searched", NULL, ARRAY(result_job, latency_target.steps, latency_target.nsteps) },
	[LIST_SAMPLES] = { PART_JOB, NULL, NULL, OF(SAMPLE), 0, false, false, "steadystate has no sample", NULL,
		ARRAY(result_job, steady.iops, steady.samples) },
	[LIST_LOST] = { PART_JOB, "lost_io", NULL, OF(LOST), 0, false, false, "no I/O was lost", NULL,
		ARRAY(result_job, lost_ios, nlost_ios) },
	[LIST_SPLITS] = { PART_JOB, "split", NULL, OF(SPLIT), 0, false, false,
		"no I/O reached a disk, or BPF was refused", "has no latency_split", ARRAY(result_job, splits, nsplits) },
	[LIST_OTHERS] = { PART_JOB, "split_others", NULL, OF(OTHER), 0, false, false,
		"no other process used the disks", NULL, ARRAY(result_job, split_others, nsplit_others) },
	[LIST_DAMAGE] = { PART_JOB, "verify.damage", NULL, OF(DAMAGE), 0, false, false, "no block was damaged", NULL,
		ARRAY(result_job, verify.damages, verify.ndamages) },
	[LIST_INTERVALS] = { PART_GROUP, NULL, NULL, OF(INTERVAL), 0, false, false, "no I/O was measured" },
	[LIST_WAVES] = { PART_HOST, "waves", NULL, OF(WAVE), 0, false, false, "the rank measured nothing", NULL,
		ARRAY(result_host, waves, nwaves) },
	[LIST_CPUS] = { PART_RUN, NULL, NULL, OF(CPU), 0, false, true, "the run has no idle times of single CPUs",
		NULL, ARRAY(result, idle.cpus, idle.ncpus) },
};
/* clang-format on */

const void *figure_part_of(const struct figure_place *p)
{
	switch (figure_part(p->figure)) {
	case PART_JOB:
		return p->res->jobs[p->part];
	case PART_DISK:
		return &p->res->disks[p->part];
	case PART_HOST:
		return &p->res->hosts.v[p->part];
	default:
		return p->res;
	}
}

size_t figure_list_count(const struct figure_place *p)
{
	const struct figure_list *list = p->list;
	const char *at = (const char *)figure_part_of(p) + list->count.offset;

	if (list == &figure_lists[LIST_INTERVALS])
		return p->res->series.data.groups[p->part].cells.n;
	at += list->in_dir ? p->dir * list->count.bytes : 0;
	return list->count.bytes == sizeof(size_t) ? *(const size_t *)at : *(const unsigned *)at;
}

static struct figure_interval_lat interval_lat(const struct ival_lat *l)
{
	double tenths = l->n ? floor((double)(l->sum % l->n) * 10 / (double)l->n) : 0;

	return (struct figure_interval_lat){ l->n, l->min, l->max,
					     l->n ? (double)(l->sum / l->n) + tenths / 10 : 0 };
}

static const void *interval_at(const struct figure_place *p, size_t i, struct figure_interval *to)
{
	static const struct ival_lat none;
	const struct series *s = &p->res->series.data;
	enum lat_kind kind = s->groups[p->part].kind;
	const struct ival_dir *dir;
	struct ival v;

	series_get(s, (unsigned)p->part, i, &v);
	dir = &v.dir[p->dir];
	*to = (struct figure_interval){ dir->ios, dir->bytes, dir->errors,
					interval_lat(kind < LAT_KINDS ? &dir->lat[kind] : &none),
					interval_lat(&dir->lat[LAT_RESP]) };
	return to;
}

static const void *sample_at(const struct result_steady *s, size_t i, struct figure_sample *to)
{
	*to = (struct figure_sample){ s->iops ? s->iops[i] : 0, s->bw ? s->bw[i] : 0,
				      s->lat ? s->lat[i] : 0 };
	return to;
}

static const void *file_at(const struct figure_place *p, const struct result_file *file,
			   union figure_room *room)
{
	const struct result_job *job = p->res->jobs[p->part];
	enum file_lat lat = p->kind == LAT_LAT && p->dir != DIR_SYNC ? FILE_LAT : FILE_CLAT;

	if (!file->dir[p->dir])
		return NULL;
	if (p->figure->of == FIGURE_FILE)
		return &file->dir[p->dir]->counts;
	room->lat = result_file_lat(&job->files, file, p->dir, lat, job->sum.npercentiles);
	return &room->lat;
}

/* Returns entry i of an array in the part. */
static const void *array_at(const struct figure_place *p, size_t i)
{
	const char *at = (const char *)figure_part_of(p) + p->list->array;

	at += p->list->in_dir ? p->dir * sizeof(void *) : 0;
	return *(const char *const *)at + i * p->list->bytes;
}

const void *figure_list_entry(const struct figure_place *p, size_t i, union figure_room *room)
{
	const struct result_step_dir *step;
	const struct summary_lat *lat;
	const void *entry;

	if (p->figure->of == FIGURE_INTERVAL)
		return interval_at(p, i, &room->interval);
	if (p->figure->of == FIGURE_SAMPLE)
		return sample_at(&p->res->jobs[p->part]->steady, i, &room->sample);
	entry = array_at(p, i);
	if (p->figure->of == FIGURE_STEP_DIR || p->figure->of == FIGURE_STEP_LAT) {
		step = &((const struct result_rate_step *)entry)->dir[p->dir];
		return p->figure->of == FIGURE_STEP_DIR
			       ? (const void *)step
			       : &step->lat[p->kind == LAT_RESP ? STEP_RESP : STEP_CLAT].sum;
	}
	if (p->list == &figure_lists[LIST_FILES])
		entry = file_at(p, entry, room);
	if (!entry || p->figure->of != FIGURE_LAT)
		return entry;
	lat = p->list == &figure_lists[LIST_PRIOS] ? &((const struct result_prio *)entry)->sum.lat : entry;
	return lat->n ? lat : NULL;
}

const char *figure_list_name(const struct figure_place *p, size_t i, union figure_room *room)
{
	if (p->list == &figure_lists[LIST_FILES])
		return p->res->jobs[p->part]->files.file[i].path;
	if (p->list != &figure_lists[LIST_CPUS])
		return NULL;
	snprintf(room->name, sizeof(room->name), "%u", p->res->idle.cpus[i].number);
	return room->name;
}

const struct figure_list *figure_list_of(const struct figure *figure)
{
	for (unsigned i = LIST_PARTS; i < FIGURE_LISTS; i++)
		if (!figure_lists[i].key && figure_lists[i].of & 1u << figure->of)
			return &figure_lists[i];
	return NULL;
}

const char *figure_list_nearest(const char *path)
{
	const char *keys[2 * FIGURE_LISTS + 1] = { 0 }, *bracket = strchr(path, '['), *at = bracket, *near;
	unsigned n = 0;
	char *word;

	for (unsigned i = LIST_PARTS; i < FIGURE_LISTS; i++) {
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
