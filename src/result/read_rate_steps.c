/* read_rate_steps.c: reads jobs[].fiord.rate_steps. */
#include <errno.h>
#include <string.h>
#include "rate_steps.h"
#include "read_parts.h"

/* Leaves out bins that do not add up to the number of I/Os, and figures that contradict each other, with a
   note. */
static void read_step_lat(struct reader *rd, const struct read_object *dir, const char *key,
			  struct result_job *j, struct result_step_lat *to)
{
	struct read_object o, p;
	struct step_lat_figures *f = &to->sum;

	if (!read_open_key(rd, &o, dir, key))
		return;
	read_figures(rd, &o, figures_step_lat, f);
	if (f->min > f->max)
		read_fail(rd, -EINVAL, NULL, "min is larger than max");
	if (read_open_key(rd, &p, &o, "percentile")) {
		read_u64(rd, &p, "50.000000", &f->percentile[STEP_P50]);
		read_u64(rd, &p, "99.000000", &f->percentile[STEP_P99]);
		read_close(rd, &p);
	}
	read_bins(rd, &o, &to->bins);
	if (!rd->err && to->bins.n && bins_total(&to->bins) != f->n) {
		result_job_note(j, "The bins of %s do not add up to its N, and are left out.", rd->path);
		to->bins.n = 0;
	}
	if (!rd->err && f->n && !read_sum_fits(f->n, f->min, f->max, f->sum)) {
		result_job_note(j, "The figures of %s contradict each other, and are left out.", rd->path);
		f->n = 0;
	}
	if (!f->n)
		*to = (struct result_step_lat){ 0 };
	read_close(rd, &o);
}

static bool read_step_dir(struct reader *rd, const struct read_object *step, const char *key,
			  struct result_job *j, struct result_step_dir *to)
{
	struct read_object o;

	if (!read_open_key(rd, &o, step, key))
		return false;
	read_figures(rd, &o, figures_step_dir, to);
	read_step_lat(rd, &o, "clat_ns", j, &to->lat[STEP_CLAT]);
	read_step_lat(rd, &o, "resp_ns", j, &to->lat[STEP_RESP]);
	read_close(rd, &o);
	return true;
}

static void read_step(struct reader *rd, struct json v, size_t i, struct result_job *j,
		      struct result_rate_step *to)
{
	static const char *const name[DIR_DATA] = { "read", "write", "trim" };
	struct read_object o;

	if (!read_open_at(rd, &o, v, "steps", i))
		return;
	read_figures(rd, &o, figures_step, to);
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (read_step_dir(rd, &o, name[d], j, &to->dir[d]))
			j->rate_steps.dirs |= 1u << d;
	read_close(rd, &o);
}

void read_rate_steps(struct reader *rd, const struct read_object *fiord, struct result_job *j)
{
	struct result_rate_steps *s = &j->rate_steps;
	struct read_object o;
	struct json_iter it;
	const char *unit = "";

	if (!read_open_key(rd, &o, fiord, "rate_steps"))
		return;
	read_text(rd, &o, "unit", &unit);
	s->by_bytes = !strcmp(unit, "bytes");
	s->steps = arena_array(&rd->scratch, RATE_STEPS_MAX, sizeof(*s->steps));
	if (!s->steps)
		read_fail(rd, -ENOMEM, NULL, "out of memory");
	it = read_array(rd, &o, "steps");
	while (!rd->err && json_next(&it) && read_charge(rd, 2 * sizeof(*s->steps))) {
		if (s->nsteps == RATE_STEPS_MAX) {
			read_fail(rd, -ERANGE, "steps", "there are more than %d steps", RATE_STEPS_MAX);
			break;
		}
		read_step(rd, it.value, s->nsteps, j, &s->steps[s->nsteps]);
		s->nsteps++;
	}
	read_close(rd, &o);
}
