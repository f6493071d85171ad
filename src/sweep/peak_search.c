/* peak_search.c: changes one option after the other, and keeps what gains more than noise. */
#include "peak.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "vec.h"

#define NOISE_LEAST 0.02 /* a smaller gain is none */
#define GAIN_MOST   0.10 /* a greater gain is not nothing, even if it is less than the noise */
#define DEPTH_MAX   1024
#define FLIGHT_MAX  (1ull << 30) /* bytes of all buffers together */
#define REPEATS     3
#define RESERVED    (REPEATS + 2) /* points kept for the end: the noise, the doubled point, the repeats */
#define STUDENT_T   4.303         /* 95 %, for REPEATS values */

const char *const peak_engine_names[PEAK_ENGINES] = { "io_uring", "libaio", "io_uring_cmd" };
const char *const peak_end_names[] = { "unknown", "device", "cpu", "link" };

/* Changes the settings of all targets. Returns false if they cannot change this way. */
typedef bool peak_move(const struct peak_search *s, struct peak_setting *set);

double peak_value(enum peak_goal goal, const struct peak_point *p)
{
	return goal == PEAK_IOPS ? p->iops : p->bw_bytes;
}

unsigned peak_workers(const struct peak_search *s, const struct peak_point *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->ntargets; i++)
		n += p->set[i].numjobs;
	return n;
}

uint64_t peak_link_bytes(const struct peak_search *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->ntargets; i++) {
		if (!s->targets[i]->link_bytes)
			return 0;
		sum += s->targets[i]->link_bytes;
	}
	return sum;
}

static bool has_best(const struct peak_search *s)
{
	return s->best < s->npoints;
}

static double best_value(const struct peak_search *s)
{
	return has_best(s) ? peak_value(s->goal, &s->points[s->best]) : 0;
}

/* Returns whether there is time for a point, and for as many more, each of which takes what those before
 * took. The first point is measured in any case, so that each search has a result. */
static bool has_time(struct peak_search *s, unsigned more)
{
	uint64_t taken = s->npoints ? s->spent_ns / s->npoints : 0;

	if (!s->npoints ||
	    s->spent_ns + (taken > s->point_ns ? taken : s->point_ns) * (1 + more) <= s->budget_ns)
		return true;
	s->out_of_time = true;
	return false;
}

/* Returns whether the buffers of all workers have room. */
static bool fits(const struct peak_search *s, const struct peak_setting *set)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->ntargets; i++) {
		if (set[i].iodepth > DEPTH_MAX)
			return false;
		bytes += set[i].numjobs * set[i].iodepth * set[i].bs;
	}
	return bytes <= FLIGHT_MAX;
}

/* Makes a point of these settings, and measures it. Returns 0 or -errno with d; *at is its index. */
static int measure(struct peak_search *s, const struct peak_setting *set, const char *tried, size_t *at,
		   struct diag *d)
{
	bool had_best = has_best(s), had_doubled = s->doubled < s->npoints;
	struct peak_point p = { .tried = tried, .duration_ns = s->point_ns };
	int err;

	p.set = arena_array(s->mem, s->ntargets, sizeof(*p.set));
	p.target_iops = arena_array(s->mem, s->ntargets, sizeof(*p.target_iops));
	p.target_bw = arena_array(s->mem, s->ntargets, sizeof(*p.target_bw));
	if (!p.set || !p.target_iops || !p.target_bw)
		return diag_no_memory(d);
	memcpy(p.set, set, s->ntargets * sizeof(*set));
	err = s->measure(s->ctx, s, &p, d);
	s->canceled = s->canceled || err == -ECANCELED;
	if (err)
		return err;
	*at = s->npoints;
	if (!VEC_ADD(s->points, s->npoints, s->cap, p))
		return diag_no_memory(d);
	if (!had_best)
		s->best = s->npoints;
	if (!had_doubled)
		s->doubled = s->npoints;
	return 0;
}

/* Measures these settings, and makes them the best if they gain. Returns 1 if so, 0 or -errno with d. */
static int try(struct peak_search *s, const struct peak_setting *set, const char *tried, struct diag *d)
{
	size_t at;
	int err;

	if (!fits(s, set) || !has_time(s, has_best(s) ? RESERVED : 0))
		return 0;
	err = measure(s, set, tried, &at, d);
	if (err || s->points[at].error)
		return err;
	if (has_best(s) && peak_value(s->goal, &s->points[at]) <= best_value(s) * (1 + s->noise))
		return 0;
	s->best = at;
	return 1;
}

/* Changes the best point, again as long as that gains if `again` is true. Returns 0 or -errno with d. */
static int climb(struct peak_search *s, peak_move *move, const char *tried, bool again, struct diag *d)
{
	struct peak_setting *set = arena_array(s->mem, s->ntargets, sizeof(*set));
	int ret;

	if (!set)
		return diag_no_memory(d);
	do {
		if (!has_best(s))
			return 0;
		memcpy(set, s->points[s->best].set, s->ntargets * sizeof(*set));
		ret = move(s, set) ? try(s, set, tried, d) : 0;
	} while (ret > 0 && again);
	return ret < 0 ? ret : 0;
}

/* ---- the moves ---- */

static bool more_workers(const struct peak_search *s, struct peak_setting *set)
{
	unsigned all = 0;

	for (size_t i = 0; i < s->ntargets; i++) {
		unsigned most = (unsigned)s->targets[i]->ncpus;

		all += set[i].numjobs;
		set[i].numjobs = set[i].numjobs * 2 < most ? set[i].numjobs * 2 : most;
	}
	return all < s->cpus;
}

static bool fewer_workers(const struct peak_search *s, struct peak_setting *set)
{
	bool fewer = false;

	for (size_t i = 0; i < s->ntargets; i++) {
		fewer = fewer || set[i].numjobs > 1;
		set[i].numjobs = (set[i].numjobs + 1) / 2;
	}
	return fewer;
}

static bool other_engine(const struct peak_search *s, struct peak_setting *set, enum peak_engine engine)
{
	bool other = false;

	for (size_t i = 0; i < s->ntargets; i++) {
		if (s->targets[i]->only_commands || (engine == PEAK_COMMANDS && !s->targets[i]->commands))
			continue;
		other = other || set[i].engine != engine;
		set[i].engine = engine;
	}
	return other;
}

static bool use_libaio(const struct peak_search *s, struct peak_setting *set)
{
	return other_engine(s, set, PEAK_LIBAIO);
}

static bool use_commands(const struct peak_search *s, struct peak_setting *set)
{
	return other_engine(s, set, PEAK_COMMANDS);
}

static bool use_batch(const struct peak_search *s, struct peak_setting *set)
{
	bool changed = false;

	for (size_t i = 0; i < s->ntargets; i++) {
		if (set[i].iodepth < 8)
			continue;
		set[i].batch = set[i].iodepth / 4 < 32 ? set[i].iodepth / 4 : 32;
		changed = true;
	}
	return changed;
}

static bool use_polling(const struct peak_search *s, struct peak_setting *set)
{
	bool changed = false;

	for (size_t i = 0; i < s->ntargets; i++) {
		if (!s->targets[i]->polls || set[i].engine == PEAK_LIBAIO)
			continue;
		set[i].polling = changed = true;
	}
	return changed;
}

static bool other_order(const struct peak_search *s, struct peak_setting *set)
{
	for (size_t i = 0; i < s->ntargets; i++)
		set[i].random = !set[i].random;
	return true;
}

static bool smaller_blocks(const struct peak_search *s, struct peak_setting *set)
{
	for (size_t i = 0; i < s->ntargets; i++) {
		set[i].bs /= 8;
		set[i].iodepth *= 4;
	}
	return true;
}

static bool twice_all(const struct peak_search *s, struct peak_setting *set)
{
	for (size_t i = 0; i < s->ntargets; i++) {
		set[i].numjobs *= 2;
		set[i].iodepth *= 2;
	}
	return fits(s, set);
}

/* ---- the plan ---- */

static struct peak_setting first_setting(const struct peak_search *s, const struct peak_target *t)
{
	return (struct peak_setting){ .engine = t->only_commands ? PEAK_COMMANDS : PEAK_URING,
				      .numjobs = 1,
				      .iodepth = 1,
				      .random = s->goal == PEAK_IOPS,
				      .bs = s->goal == PEAK_IOPS ? t->block : 1 << 20 };
}

/* Raises the depth of one worker, until two steps in turn gained nothing. */
static int search_depth(struct peak_search *s, struct diag *d)
{
	static const unsigned depths[] = { 1, 4, 16, 32, 64, 128, 256 };
	struct peak_setting set = first_setting(s, s->targets[0]);
	unsigned in_vain = 0;

	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths) && in_vain < 2; i++) {
		int ret;

		set.iodepth = depths[i];
		ret = try(s, &set, "iodepth", d);
		if (!ret && !has_best(s) && set.engine == PEAK_URING) {
			set.engine = PEAK_LIBAIO; /* a container may forbid io_uring */
			ret = try(s, &set, "iodepth", d);
		}
		if (ret < 0 || (!ret && !has_best(s)))
			return ret;
		in_vain = ret ? 0 : in_vain + 1;
	}
	return 0;
}

/* Measures the best point again. What differs by chance is no gain. */
static int measure_noise(struct peak_search *s, struct diag *d)
{
	size_t at;
	double first = best_value(s), noise;

	if (!has_best(s) || first <= 0 || !has_time(s, RESERVED - 1))
		return 0;
	if (measure(s, s->points[s->best].set, "again", &at, d))
		return s->canceled ? -ECANCELED : d->err;
	s->points[at].is_repeat = true;
	noise = fabs(peak_value(s->goal, &s->points[at]) - first) / first;
	if (!s->points[at].error && noise > s->noise)
		s->noise = noise;
	return 0;
}

/* Doubles jobs and depth of the best point, until that gains nothing. */
static int double_all(struct peak_search *s, struct diag *d)
{
	struct peak_setting *set = arena_array(s->mem, s->ntargets, sizeof(*set));
	size_t at;

	if (!set)
		return diag_no_memory(d);
	while (has_best(s) && has_time(s, REPEATS)) {
		memcpy(set, s->points[s->best].set, s->ntargets * sizeof(*set));
		if (!twice_all(s, set))
			return 0;
		if (measure(s, set, "numjobs, iodepth", &at, d))
			return s->canceled ? -ECANCELED : d->err;
		if (s->points[at].error)
			return 0;
		if (peak_value(s->goal, &s->points[at]) <= best_value(s) * (1 + s->noise)) {
			s->doubled = at;
			return 0;
		}
		s->best = at;
	}
	return 0;
}

static void set_mean(struct peak_search *s, const double *v)
{
	double sum = 0;

	for (unsigned i = 0; i < s->repeats; i++)
		sum += v[i];
	s->mean = s->low = s->high = s->repeats ? sum / s->repeats : best_value(s);
}

static void set_interval(struct peak_search *s, const double *v)
{
	double squares = 0, half;

	for (unsigned i = 0; i < REPEATS; i++)
		squares += (v[i] - s->mean) * (v[i] - s->mean);
	half = STUDENT_T * sqrt(squares / (REPEATS - 1) / REPEATS);
	s->low = half < s->mean ? s->mean - half : 0;
	s->high = s->mean + half;
}

static int repeat_best(struct peak_search *s, struct diag *d)
{
	double v[REPEATS] = { 0 };
	size_t at;
	int err = 0;

	while (has_best(s) && s->repeats < REPEATS && has_time(s, 0)) {
		err = measure(s, s->points[s->best].set, "again", &at, d);
		if (err)
			break;
		s->points[at].is_repeat = true;
		if (s->points[at].error)
			break;
		v[s->repeats++] = peak_value(s->goal, &s->points[at]);
	}
	set_mean(s, v);
	if (s->repeats == REPEATS)
		set_interval(s, v);
	return err;
}

static bool uses_polling(const struct peak_search *s, const struct peak_point *p)
{
	for (size_t i = 0; i < s->ntargets; i++)
		if (p->set[i].polling)
			return true;
	return false;
}

bool peak_doubled_gains(const struct peak_search *s)
{
	return s->doubled < s->npoints &&
	       peak_value(s->goal, &s->points[s->doubled]) > best_value(s) * (1 + GAIN_MOST);
}

/* Workers that poll keep their CPUs busy whatever the device does. */
static enum peak_end find_end(const struct peak_search *s)
{
	const struct peak_point *p = &s->points[s->best];
	uint64_t link = peak_link_bytes(s);
	bool busy = p->cpu >= PEAK_CPU_BUSY;

	if (link && p->bw_bytes >= PEAK_LINK_FULL * (double)link)
		return PEAK_END_LINK;
	if (busy && !uses_polling(s, p) && peak_workers(s, p) >= s->cpus)
		return PEAK_END_CPU;
	return s->doubled < s->npoints && !busy && !peak_doubled_gains(s) ? PEAK_END_DEVICE
									  : PEAK_END_UNKNOWN;
}

static int search_all(struct peak_search *s, struct diag *d)
{
	int err = 0;
	size_t bulk = s->goal == PEAK_BANDWIDTH;

	if (s->start)
		err = try(s, s->start, "start", d);
	else
		err = search_depth(s, d);
	err = err < 0 ? err : measure_noise(s, d);
	if (!err && bulk && !s->start)
		err = climb(s, other_order, "rw", false, d);
	if (!err)
		err = climb(s, more_workers, "numjobs", true, d);
	if (!err && s->start)
		err = climb(s, fewer_workers, "numjobs", true, d);
	if (!err && !s->start)
		err = climb(s, use_commands, "ioengine", false, d);
	if (!err && !s->start)
		err = climb(s, use_libaio, "ioengine", false, d);
	if (!err && !bulk && !s->start)
		err = climb(s, use_batch, "batch", false, d);
	if (!err && !bulk && !s->start)
		err = climb(s, use_polling, "hipri", false, d);
	if (!err && bulk && !s->start)
		err = climb(s, smaller_blocks, "bs", false, d);
	err = err ? err : double_all(s, d);
	return err ? err : repeat_best(s, d);
}

int peak_search(struct peak_search *s, struct diag *d)
{
	int err;

	s->noise = NOISE_LEAST;
	err = search_all(s, d);
	if (has_best(s)) {
		if (!s->repeats)
			set_mean(s, NULL);
		s->end = find_end(s);
	}
	return err == -ECANCELED ? 0 : err;
}
