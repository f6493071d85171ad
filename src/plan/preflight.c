/* preflight.c: runs every check on every job, and joins the jobs that get the same note. */
#include "preflight.h"

#include <stdlib.h>
#include <string.h>
#include "preflight_checks.h"
#include "strbuf.h"

#define NAMES_MAX 3u
#define LINES_MAX 5u /* notes of one check: more targets with the same problem teach nothing new */

static preflight_check *const checks[] = {
	preflight_check_memory,     preflight_check_cache,       preflight_check_ahead,
	preflight_check_loop,       preflight_check_depth,       preflight_check_unwritten,
	preflight_check_clones,     preflight_check_time,        preflight_check_rate,
	preflight_check_use,        preflight_check_write_cache, preflight_check_block,
	preflight_check_kind,       preflight_check_governor,    preflight_check_open_files,
	preflight_check_statistics,
};

/* Returns whether the job is worth checks. Later clones are like the first one. Jobs without files (cpuio,
   exec) and with create_only measure nothing. */
static bool is_checked(const struct plan_job *pj)
{
	return !pj->clone && pj->nfiles && !pj->job->opts.files.create_only;
}

/* Adds "a, b and 3 more": the jobs from `first` on for which the check has the same text. */
static void put_names(const struct preflight_ctx *fl, preflight_check *c, uint32_t first, const char *text,
		      struct strbuf *out)
{
	struct strbuf other = { 0 };
	const char *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = first; i < fl->njobs; i++) {
		const struct plan_job *pj = fl->jobs[i];

		if (!is_checked(pj))
			continue;
		strbuf_clear(&other);
		c(fl, pj, &other);
		if (strcmp(strbuf_str(&other), text) || (last && !strcmp(last, pj->job->name)))
			continue;
		last = pj->job->name;
		if (n++ < NAMES_MAX)
			message_printf(out, "%s%s", n > 1 ? ", " : "", last);
	}
	if (n > NAMES_MAX)
		strbuf_printf(out, " and %u more", n - NAMES_MAX);
	strbuf_fini(&other);
}

/* Searches the list, which is short because most jobs have the same text. */
static bool has_line(const struct notes *lines, const char *text)
{
	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(lines->message[i], text))
			return true;
	return false;
}

static void add_check_notes(const struct preflight_ctx *fl, preflight_check *c, struct notes *out)
{
	struct notes lines = { 0 };
	struct strbuf text = { 0 }, names = { 0 };

	for (uint32_t i = 0; i < fl->njobs && lines.count < LINES_MAX; i++) {
		if (!is_checked(fl->jobs[i]))
			continue;
		strbuf_clear(&text);
		c(fl, fl->jobs[i], &text);
		if (!text.len || has_line(&lines, text.text))
			continue;
		notes_add_message(&lines, text.text);
		strbuf_clear(&names);
		put_names(fl, c, i, text.text, &names);
		strbuf_puts(&names, ": ");
		strbuf_puts(&names, text.text);
		notes_add_message(out, strbuf_str(&names));
	}
	strbuf_fini(&text);
	strbuf_fini(&names);
	notes_fini(&lines);
}

/* Notes that /proc or /sys is not mounted: the reports lack facts that the kernel gives only there. */
static void add_unmounted(const struct preflight_ctx *fl, const struct facts *f, struct notes *out)
{
	bool data = false;

	for (uint32_t i = 0; i < fl->njobs && !data; i++)
		data = is_checked(fl->jobs[i]) && preflight_moves_data(fl->jobs[i]);
	if (data && f->no_proc)
		notes_add(out, "/proc is not mounted: the file systems of the targets, and the use of CPUs "
			       "by other programs, are unknown");
	if (data && f->no_sys)
		notes_add(out, "/sys is not mounted: the disks of the targets and their counters, and the "
			       "topology of the CPUs, are unknown");
}

static void list_jobs(struct preflight_ctx *fl, const struct plan_job *pj)
{
	for (uint32_t i = 0; i < pj->nmembers; i++)
		fl->jobs[fl->njobs++] = &pj->members[i];
	if (!pj->nmembers)
		fl->jobs[fl->njobs++] = pj;
}

void preflight(const struct plan *p, const struct facts *f, struct notes *out, struct note_range *memory)
{
	struct preflight_ctx fl = { .p = p, .f = f };
	size_t n = p->njobs;

	for (uint32_t i = 0; i < p->njobs; i++)
		n += p->jobs[i].nmembers;
	fl.jobs = calloc(n + 1, sizeof(struct plan_job *));
	for (uint32_t i = 0; i < p->njobs && fl.jobs; i++)
		list_jobs(&fl, &p->jobs[i]);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		const size_t first = out->count;

		add_check_notes(&fl, checks[i], out);
		if (checks[i] == preflight_check_cache)
			*memory = (struct note_range){ first, out->count - first };
	}
	if (fl.jobs)
		add_unmounted(&fl, f, out);
	free(fl.jobs);
	plan_space_notes(p, out);
}
