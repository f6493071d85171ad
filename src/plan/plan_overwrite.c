/* plan_overwrite.c: files of other programs that a job would overwrite: refused, or noted. */
#include <errno.h>
#include <inttypes.h>
#include "plan_build.h"
#include "strbuf.h"
#include "units.h"

#define NOTED 10 /* files that have a note of their own */

void plan_overwrite(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	struct plan_target *t = &b->p->targets[b->p->targets[pf->target].same];
	bool anew = pf->recreate || (pf->layout == LAYOUT_FILL && !pf->layout_from);

	if (t->overwrites || t->facts->type != TARGET_FILE || !t->facts->size || t->facts->marked ||
	    t->facts->holds_nothing || plan_is_meta(pj))
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

/* Adds "64 KiB, last changed 3 days ago". */
static void put_content_facts(struct strbuf *b, const struct target_facts *f, int64_t now_s)
{
	strbuf_printf(b, "%s, last changed ", units_bytes(f->size).text);
	put_age(b, now_s - f->modified_s);
	strbuf_puts(b, " ago");
}

static int refuse_overwrite(struct build *b, const struct plan_target *t, const char *why)
{
	struct strbuf content = { 0 };
	int ret;

	put_content_facts(&content, t->facts, b->f->now_s);
	ret = diag_kind(b->d, DIAG_TARGET, -EPERM,
			"%s: refusing to write: %s (%s); name another file, or use {+allow_write=%s} to "
			"overwrite this one",
			t->path, why, strbuf_str(&content), t->path);
	strbuf_fini(&content);
	return ret;
}

bool plan_protects_files(const struct plan *p, const struct job *job)
{
	const struct run_opts *run = &p->set->run;
	bool names = job->opts.files.filename && *job->opts.files.filename;

	return !run->as_fio && (names || run->preset);
}

static const char *not_ours(const struct target_facts *f)
{
	if (f->mark_ended)
		return "it has changed since fiord marked it as its own: another program wrote to it, or "
		       "a run of fiord that has not ended or was killed";
	if (f->no_marks)
		return "it has data, and its file system keeps no marks that would tell whether fiord "
		       "created it";
	return "it has data, and fiord did not create it";
}

int plan_overwrite_check(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct target_state *s = &b->state[t->same];
	const struct target_facts *f = t->facts;

	if (f->type != TARGET_FILE || f->marked || f->in_use || !s->exists || s->created ||
	    pj->job->opts.files.opendir || target_allowed(f, t->path, &b->p->allow))
		return 0;
	if (f->system)
		return refuse_overwrite(b, t,
					f->system == SYSTEM_YES ? "it is a file of the running system"
					: b->f->no_proc
						? "it may be a file of the running system, because /proc is "
						  "not mounted"
						: "it may be a file of the running system, because its "
						  "place is unknown");
	if (f->holds_nothing)
		return 0;
	if (plan_protects_files(b->p, pj->job))
		return refuse_overwrite(b, t, not_ours(f));
	if (f->system_link)
		return refuse_overwrite(
			b, t,
			"it has several names (hard links), and one may be that of a file of the "
			"running system");
	return 0;
}

static void note_file(const struct plan_target *t, int64_t now_s, struct notes *out)
{
	struct strbuf content = { 0 };

	put_content_facts(&content, t->facts, now_s);
	notes_add(out, "%s: overwrites %s, a file that fiord did not create: %s", t->overwrites->name,
		  t->path, strbuf_str(&content));
	strbuf_fini(&content);
}

void plan_overwrite_notes(const struct plan *p, const struct facts *f, struct notes *out)
{
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
	notes_add(out,
		  "the run overwrites %" PRIu32 " more file%s that fiord did not create: %s together; the "
		  "JSON document lists them",
		  files - NOTED, files - NOTED == 1 ? "" : "s", units_bytes(bytes).text);
}
