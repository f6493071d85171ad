#include "depth_search.h"

#include <string.h>

#define CALM_WINDOWS 8 /* after so many that met the target, latency_run tries a greater depth */

void depth_search_init(struct depth_search *s, const struct latency_target_cfg *c, uint32_t max)
{
	memset(s, 0, sizeof(*s));
	s->cfg = *c;
	s->max = s->depth = max;
	s->high = max + 1;
	s->change_ns = UINT64_MAX;
	hist_reset(&s->lat);
}

void depth_search_begin(struct depth_search *s, uint64_t now_ns)
{
	s->change_ns = s->window_ns = now_ns;
	s->window_begun = false;
	s->ios = s->within = s->completed = s->lat_max_ns = 0;
	hist_reset(&s->lat);
}

static bool met(const struct depth_search *s)
{
	return (double)s->within * 100 >= s->cfg.percentile * (double)s->ios;
}

/* Sets the next depth between low and high. If there is none, the search has its answer. */
static void narrow(struct depth_search *s)
{
	if (s->high - s->low > 1) {
		s->depth = s->low ? s->low + (s->high - s->low) / 2 : s->high / 2;
		return;
	}
	s->found = s->ever_found = true;
	s->last_found = s->low;
	s->windows_met = 0;
	s->depth = s->low ? s->low : 1;
}

/* latency_run: begins another search if the depth found calls for one. */
static void adjust(struct depth_search *s, bool was_met)
{
	if (s->depth == 1)
		s->low = s->last_found = was_met;
	if (!was_met)
		s->windows_met = 0;
	if (!was_met && s->depth > 1) {
		s->found = false;
		s->high = s->depth;
		s->low = 0;
		narrow(s);
	} else if (was_met && s->depth < s->max && ++s->windows_met >= CALM_WINDOWS) {
		s->found = false;
		s->low = s->depth;
		s->high = s->low + 2 <= s->max ? s->low + 2 : s->max + 1;
		narrow(s);
	}
}

/* A bucket of the histogram may reach over the target; its midpoint must not contradict the verdict. */
static uint64_t percentile(const struct depth_search *s, bool was_met)
{
	uint64_t target = s->cfg.target_ns, max = s->lat_max_ns;

	if (s->cfg.percentile >= 100)
		return max;
	return hist_percentile(&s->lat, s->ios, s->cfg.percentile, was_met ? 0 : target,
			       was_met && target < max ? target : max);
}

/* Returns the window at hand, which ends at end_ns. */
static struct depth_step step_of(const struct depth_search *s, uint64_t end_ns)
{
	bool was_met = s->ios && met(s);

	return (struct depth_step){ .depth = s->depth,
				    .met = was_met,
				    .ios = s->ios,
				    .within = s->within,
				    .completed = s->completed,
				    .lat_ns = percentile(s, was_met),
				    .ns = s->ios ? end_ns - s->window_ns : 0 };
}

struct depth_step depth_search_answer(const struct depth_search *s)
{
	uint64_t oldest = s->nsteps > DEPTH_STEPS ? s->nsteps - DEPTH_STEPS : 0;
	bool none_meets = s->ever_found && !s->last_found;

	if (!s->cfg.run)
		return step_of(s, s->end_ns);
	for (uint64_t i = s->nsteps; i > oldest && !none_meets; i--)
		if (s->steps[(i - 1) % DEPTH_STEPS].met)
			return s->steps[(i - 1) % DEPTH_STEPS];
	return s->nsteps ? s->steps[(s->nsteps - 1) % DEPTH_STEPS] : (struct depth_step){ 0 };
}

bool depth_search_judge(struct depth_search *s, uint64_t now_ns)
{
	bool hopeless = s->cfg.percentile >= 100 && s->within < s->ios, was_met;

	if (!s->ios || (now_ns - s->window_ns < s->cfg.window_ns && !hopeless))
		return false;
	was_met = met(s);
	s->steps[s->nsteps++ % DEPTH_STEPS] = step_of(s, now_ns);
	if (s->found) {
		adjust(s, was_met);
	} else {
		if (was_met)
			s->low = s->depth;
		else
			s->high = s->depth;
		narrow(s);
	}
	depth_search_begin(s, now_ns);
	return true;
}

void depth_search_stop(struct depth_search *s, uint64_t now_ns)
{
	s->stopped = true;
	s->depth = s->low ? s->low : s->depth;
	depth_search_begin(s, now_ns);
}
