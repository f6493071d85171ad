#include "target_storage.h"

#include <stdlib.h>
#include <string.h>
#include "nvme.h"
#include "vec.h"

/* Returns a flag for each target that a wanted job uses; of several names of one file the first. wanted: NULL
   for all jobs. The caller frees it. */
static bool *used_targets(const struct plan *p, bool (*wanted)(const struct plan_job *pj, const void *arg),
			  const void *arg)
{
	bool *used = calloc(p->ntargets + 1, sizeof(*used));

	for (uint32_t i = 0; used && i < p->njobs; i++) {
		if (wanted && !wanted(&p->jobs[i], arg))
			continue;
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++)
			used[p->targets[p->jobs[i].files[k].target].same] = true;
	}
	return used;
}

/* Counts the target in the entry of its storage; false if there is none yet. */
static bool add_to_entry(struct target_storage *s, const struct plan_target *t)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].first->facts->type == TARGET_CHAR || t->facts->type == TARGET_CHAR)
			continue;
		if (storage_same(s->v[i].first->facts, t->facts)) {
			s->v[i].targets++;
			return true;
		}
	}
	return false;
}

void target_storage_probe(struct target_storage *s, const struct plan *p)
{
	bool *used = used_targets(p, NULL, NULL);

	for (uint32_t i = 0; used && i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];
		struct target_storage_entry a = { .first = t, .targets = 1 };

		if (!used[i] || !t->path || t->facts->type == TARGET_OTHER || add_to_entry(s, t))
			continue;
		storage_probe(&a.storage, t->facts, t->path);
		if (!VEC_PUSH(s, a))
			storage_fini(&a.storage);
	}
	free(used);
}

void target_storage_health(struct target_storage *s, bool after)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->v[i].storage.n; k++) {
			struct storage_dev *d = &s->v[i].storage.v[k];

			if (strcmp(props_str(&d->props, "kind"), "disk") != 0)
				continue;
			nvme_health_add(&d->props, d->dev, after);
			diskinfo_temperature_add(&d->props, d->dev, after);
		}
}

void target_storage_fini(struct target_storage *s)
{
	for (size_t i = 0; i < s->n; i++)
		storage_fini(&s->v[i].storage);
	free(s->v);
	*s = (struct target_storage){ 0 };
}

static const char *type_name(const struct target_facts *f)
{
	switch (f->type) {
	case TARGET_BLOCK:
		return "block device";
	case TARGET_CHAR:
		return "character device";
	case TARGET_DIR:
		return "directory";
	default:
		return "file";
	}
}

static void add_storage_target(const struct target_storage_entry *a, struct result *r)
{
	struct result_target t = { .path = a->first->path,
				   .type = type_name(a->first->facts),
				   .files = a->targets };

	t.fs = a->storage.fs;
	t.devs = calloc(a->storage.n + 1, sizeof(*t.devs));
	for (size_t i = 0; t.devs && i < a->storage.n; i++)
		t.devs[i] = (struct result_device){ a->storage.v[i].level, a->storage.v[i].props };
	t.ndevs = t.devs ? (unsigned)a->storage.n : 0;
	result_add_target(r, &t);
	free(t.devs);
}

void target_storage_result(const struct target_storage *s, struct result *r)
{
	for (size_t n = 0; n < s->n; n++)
		add_storage_target(&s->v[n], r);
}

/* Returns the property "durable_writes" of the device itself, or of the first disk below it that has one. */
static const char *durable(const struct storage *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const char *text = props_str(&s->v[i].props, "durable_writes");

		if (*text)
			return text;
	}
	return NULL;
}

unsigned target_storage_number(const struct target_storage *s, const struct target_facts *f)
{
	for (size_t i = 0; i < s->n; i++)
		if (storage_same(s->v[i].first->facts, f))
			return (unsigned)i + 1;
	return 0;
}

const char *target_storage_durable(const struct target_storage *s, const struct target_facts *f)
{
	unsigned number = target_storage_number(s, f);

	return number ? durable(&s->v[number - 1].storage) : NULL;
}

/* Adds a device number if it is new. A job may have a million files, but they are on few devices. */
static void add_dev(dev_t *devs, unsigned *n, dev_t dev)
{
	for (unsigned i = *n; i-- > 0;)
		if (devs[i] == dev)
			return;
	devs[(*n)++] = dev;
}

struct diskstat *target_storage_disks(const struct plan *p,
				      bool (*wanted)(const struct plan_job *pj, const void *arg),
				      const void *arg)
{
	dev_t *devs = calloc(p->ntargets + 1, sizeof(*devs));
	bool *used = used_targets(p, wanted, arg);
	struct diskstat *disks = NULL;
	unsigned n = 0;

	for (uint32_t i = 0; devs && used && i < p->ntargets; i++) {
		const struct target_facts *f = p->targets[i].facts;

		if (used[i] && f->type == TARGET_BLOCK)
			add_dev(devs, &n, f->rdev);
		else if (used[i] && (f->type == TARGET_FILE || f->type == TARGET_MISSING))
			add_dev(devs, &n, f->dev);
	}
	if (n)
		disks = diskstat_begin(devs, n);
	free(used);
	free(devs);
	return disks;
}
