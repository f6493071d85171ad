/* plan_overwrite.c: notes about files of other programs that a job overwrites. */
#include <inttypes.h>
#include <string.h>
#include "plan_build.h"
#include "units.h"

#define NOTED 10 /* files that have a note of their own */

void plan_overwrite(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	struct plan_target *t = &b->p->targets[b->p->targets[pf->target].same];
	bool anew = pf->recreate || (pf->layout == LAYOUT_FILL && !pf->layout_from);

	if (t->overwrites || t->facts->type != TARGET_FILE || !t->facts->size || t->facts->marked ||
	    plan_is_meta(pj))
		return;
	if (anew || (plan_writes(pj) && pf->start < t->facts->size))
		t->overwrites = pf->user->job;
}

static void put_age(struct strbuf *b, int64_t seconds)
{
	static const struct {
		int64_t seconds;
		const char *name;
	} units[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" } };
	size_t u = 0;

	seconds = seconds > 0 ? seconds : 0;
	while (u < 3 && seconds < units[u].seconds)
		u++;
	seconds /= units[u].seconds;
	strbuf_printf(b, "%lld %s%s", (long long)seconds, units[u].name, seconds == 1 ? "" : "s");
}

static void note_file(const struct plan_target *t, int64_t now_s, struct notes *out)
{
	struct strbuf size = { 0 }, age = { 0 };

	units_put_bytes(&size, t->facts->size);
	put_age(&age, now_s - t->facts->modified_s);
	notes_add(out, "%s: overwrites %s, a file that fiord did not create: %s, last changed %s ago",
		  t->overwrites->name, t->path, strbuf_str(&size), strbuf_str(&age));
	strbuf_fini(&size);
	strbuf_fini(&age);
}

void plan_overwrite_notes(const struct plan *p, const struct facts *f, struct notes *out)
{
	struct strbuf size = { 0 };
	uint32_t files = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < p->ntargets; i++) {
		const struct plan_target *t = &p->targets[i];

		if (!t->overwrites)
			continue;
		if (files++ < NOTED)
			note_file(t, f->now_s, out);
		else if (__builtin_add_overflow(bytes, t->facts->size, &bytes))
			bytes = UINT64_MAX;
	}
	if (files <= NOTED)
		return;
	units_put_bytes(&size, bytes);
	notes_add(out,
		  "the run overwrites %" PRIu32 " more file%s that fiord did not create: %s together; the "
		  "JSON document lists them",
		  files - NOTED, files - NOTED == 1 ? "" : "s", strbuf_str(&size));
	strbuf_fini(&size);
}
