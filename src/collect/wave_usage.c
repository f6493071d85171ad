#include "wave_usage.h"

#include <stdlib.h>
#include "target_storage.h"

struct wave {
	uint64_t begin_ns, end_ns; /* when to read the counts; end_ns 0: when the wave ends */
	struct cpuidle *from;
	struct cpuidle_use *use;
	struct diskstat *disks;
	uint64_t disk_ios[2];
	bool disks_known;
	struct kernel_counters counters; /* at the start; after the end, the difference */
};

struct wave_usage {
	const struct plan *plan;
	struct wave *wave; /* plan.nwaves */
	struct wave *now;  /* NULL: none is being measured */
	bool disks, counts;
};

struct wave_usage *wave_usage_new(const struct plan *p, bool disks, bool counts)
{
	struct wave_usage *s = calloc(1, sizeof(*s));

	if (s)
		s->wave = calloc(p->nwaves + 1, sizeof(*s->wave));
	if (!s || !s->wave) {
		free(s);
		return NULL;
	}
	s->plan = p;
	s->disks = disks;
	s->counts = counts;
	return s;
}

void wave_usage_free(struct wave_usage *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->plan->nwaves; i++) {
		cpuidle_free(s->wave[i].from);
		diskstat_free(s->wave[i].disks);
		free(s->wave[i].use);
	}
	free(s->wave);
	free(s);
}

/* Finds the shortest ramp and the longest measurement of the wave; *length 0: until its jobs end. */
static void times_of(const struct plan *p, uint32_t wave, uint64_t *ramp, uint64_t *length)
{
	bool endless = false;

	*ramp = UINT64_MAX;
	*length = 0;
	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct time_cfg *t = &p->jobs[i].job->opts.time;

		if (p->jobs[i].wave != wave)
			continue;
		*ramp = t->ramp_ns < *ramp ? t->ramp_ns : *ramp;
		*length = t->runtime_ns > *length ? t->runtime_ns : *length;
		endless |= !t->runtime_ns;
	}
	if (endless)
		*length = 0;
}

void wave_usage_begin(struct wave_usage *s, uint32_t wave, uint64_t now_ns)
{
	uint64_t ramp, length;

	if (!s)
		return;
	wave_usage_end(s);
	times_of(s->plan, wave, &ramp, &length);
	s->now = &s->wave[wave];
	s->now->begin_ns = now_ns + ramp;
	s->now->end_ns = length ? s->now->begin_ns + length : 0;
	wave_usage_tick(s, now_ns);
}

static bool is_in_wave(const struct plan_job *pj, const void *wave)
{
	return pj->wave == *(const uint32_t *)wave;
}

/* Counts the I/Os of the devices themselves, not of their member disks. */
static void count_disks(struct wave *w)
{
	struct disk_use *use = NULL;
	unsigned n = 0;

	w->disks_known = w->disks && !diskstat_end(w->disks, &use, &n) && n;
	for (unsigned i = 0; i < n; i++) {
		for (unsigned dir = 0; !use[i].member && dir < 2; dir++)
			w->disk_ios[dir] += use[i].self.ios[dir];
	}
	free(use);
}

static void begin_wave(struct wave_usage *s)
{
	uint32_t wave = (uint32_t)(s->now - s->wave);

	s->now->from = cpuidle_begin();
	if (s->counts)
		kernel_counters_read(&s->now->counters);
	if (s->disks)
		s->now->disks = target_storage_disks(s->plan, is_in_wave, &wave);
}

void wave_usage_tick(struct wave_usage *s, uint64_t now_ns)
{
	if (!s || !s->now)
		return;
	if (!s->now->from && now_ns >= s->now->begin_ns)
		begin_wave(s);
	if (!s->now->from && now_ns >= s->now->begin_ns)
		s->now = NULL;
	else if (s->now->end_ns && now_ns >= s->now->end_ns)
		wave_usage_end(s);
}

uint64_t wave_usage_due_ns(const struct wave_usage *s)
{
	if (!s || !s->now)
		return 0;
	return s->now->from ? s->now->end_ns : s->now->begin_ns;
}

static void count_kernel(struct wave *w)
{
	struct kernel_counters now;

	kernel_counters_read(&now);
	w->counters = kernel_counters_since(&w->counters, &now);
}

void wave_usage_end(struct wave_usage *s)
{
	if (!s || !s->now)
		return;
	if (s->now->from)
		s->now->use = malloc(sizeof(*s->now->use));
	if (s->now->use)
		cpuidle_end(s->now->from, s->now->use);
	count_disks(s->now);
	if (s->counts)
		count_kernel(s->now);
	s->now = NULL;
}

const struct cpuidle_use *wave_usage_cpus(const struct wave_usage *s, uint32_t wave)
{
	return s ? s->wave[wave].use : NULL;
}

const uint64_t *wave_usage_disk_ios(const struct wave_usage *s, uint32_t wave)
{
	return s && s->wave[wave].disks_known ? s->wave[wave].disk_ios : NULL;
}

const struct kernel_counters *wave_usage_kernel(const struct wave_usage *s, uint32_t wave)
{
	static const struct kernel_counters nothing;

	return s && s->counts ? &s->wave[wave].counters : &nothing;
}
