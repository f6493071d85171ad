#include "resolve_replay.h"

#include <stdlib.h>
#include <string.h>

#define PPM_OF_PERCENT (TRACE_PARTS_PER_MILLION / 100)
#define PERCENT_MAX    400000
#define REPEATS_MAX    1000000

/* Reads the next number of a list with colons. Returns false if there is none. */
static bool read_scalar(const char **text, double *v)
{
	size_t len = strcspn(*text, ":");
	char *end;

	if (!len || strspn(*text, "0123456789.") < len)
		return false;
	*v = strtod(*text, &end);
	if (end != *text + len || !strcmp(*text + len, ":"))
		return false;
	*text += len + ((*text)[len] == ':');
	return true;
}

static int refuse_count(struct rule_ctx *r, const char *option, size_t n)
{
	return rule_refuse(r, option,
			   "needs one number for each of the %zu traces of {read_iolog}, with a colon "
			   "between them",
			   n);
}

static int read_scalars(struct rule_ctx *r, const char *text, struct trace_merge_input *in, size_t n)
{
	double percent;

	for (size_t i = 0; i < n && text; i++) {
		if (!read_scalar(&text, &percent))
			return refuse_count(r, "merge_blktrace_scalars", n);
		in[i].time_ppm = percent <= PERCENT_MAX ? (uint32_t)(percent * PPM_OF_PERCENT + 0.5) : 0;
		if (!in[i].time_ppm)
			return rule_refuse(
				r, "merge_blktrace_scalars",
				"a percentage must be from 0.0001 to %u: 50 lets a trace take half of its "
				"time",
				PERCENT_MAX);
	}
	return text && *text ? refuse_count(r, "merge_blktrace_scalars", n) : 0;
}

static int read_repeats(struct rule_ctx *r, const char *text, struct trace_merge_input *in, size_t n)
{
	double repeats;

	for (size_t i = 0; i < n && text; i++) {
		if (!read_scalar(&text, &repeats))
			return refuse_count(r, "merge_blktrace_iters", n);
		in[i].repeats = repeats <= REPEATS_MAX ? (uint32_t)repeats : 0;
		if (!in[i].repeats || in[i].repeats < repeats)
			return rule_refuse(r, "merge_blktrace_iters",
					   "a trace runs a whole number of times, from 1 to %u", REPEATS_MAX);
	}
	return text && *text ? refuse_count(r, "merge_blktrace_iters", n) : 0;
}

int replay_merge_set(struct rule_ctx *r, struct trace_source *s)
{
	const struct replay_cfg *c = &r->o->replay;
	struct trace_merge_input *in;
	int ret;

	if (!c->merge_file && !c->merge_scalars && !c->merge_iters)
		return 0;
	in = arena_array(&r->set->arena, s->paths, sizeof(*in));
	if (!in)
		return diag_no_memory(r->d);
	for (size_t i = 0; i < s->paths; i++)
		in[i] = (struct trace_merge_input){ TRACE_PARTS_PER_MILLION, 1 };
	ret = read_scalars(r, c->merge_scalars, in, s->paths);
	ret = ret ? ret : read_repeats(r, c->merge_iters, in, s->paths);
	s->merge = in;
	return ret;
}
