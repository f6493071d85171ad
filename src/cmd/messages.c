#include "messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd.h"
#include "collect.h"
#include "spans.h"
#include "strbuf.h"
#include "verdict.h"

static bool debugs(const struct plan *p, unsigned topics)
{
	return p->set->run.debug & topics;
}

void messages_plan(const struct plan *p, struct strbuf *b)
{
	if (debugs(p, DEBUG_PARSE))
		cmdline_show(p->set, b);
	if (debugs(p, DEBUG_FILE | DEBUG_JOB))
		plan_print(p, b);
}

void messages_overwrites(const struct plan *p)
{
	for (size_t i = 0; i < p->overwrite_notes.count && isatty(STDERR_FILENO); i++) {
		struct strbuf b = { 0 };

		message_render(p->overwrite_notes.message[i], p->set->speller, &b);
		fprintf(stderr, "%s: note: %s\n", cmd_name(p->set), strbuf_str(&b));
		strbuf_fini(&b);
	}
}

/* Begins a line in the form of fio's debug lines: topic, process, text. */
static void put_clone(struct strbuf *b, const char *topic, int pid, const struct plan_job *j)
{
	strbuf_printf(b, "%-8s %-5d ", topic, pid);
	strbuf_printf_plain(b, "%s, clone %u: ", j->job->name, j->clone);
}

void messages_workers(const struct run *r, struct strbuf *b)
{
	const struct plan *p = r->plan;

	for (uint32_t i = 0; debugs(p, DEBUG_RANDOM) && i < p->njobs; i++) {
		put_clone(b, "random", run_slot(r, i)->pid, &p->jobs[i]);
		strbuf_printf(b, "randseed=%" PRIu64 ", seed 0x%016" PRIx64 "\n",
			      p->jobs[i].job->opts.offset.randseed, p->jobs[i].seed);
	}
	for (uint32_t i = 0; debugs(p, DEBUG_PROCESS) && i < p->njobs; i++) {
		const struct slot *slot = run_slot(r, i);

		put_clone(b, "process", slot->pid, &p->jobs[i]);
		strbuf_printf(b, "ran %.3f s, error %d%s%s\n", (double)slot->cnt.job_runtime_ns / 1e9,
			      slot->error, slot->lost_reason[0] ? ", " : "", slot->lost_reason);
	}
}

static bool writes_logs(const struct log_cfg *l)
{
	return l->bw || l->iops || l->lat || l->hist;
}

/* Returns true if some job writes files beside its targets. */
static bool saves_state(const struct job_opts *o)
{
	return o->verify.format.kind && !o->verify.state_sync &&
	       (o->verify.only ? o->verify.state_load : o->verify.state_save);
}

static bool writes_aux(const struct job_set *set)
{
	if (set->run.bandwidth_log)
		return true;
	for (size_t i = 0; i < set->njobs; i++)
		if (set->jobs[i].opts.group.exec_prerun || writes_logs(&set->jobs[i].opts.log) ||
		    set->jobs[i].opts.group.exec_postrun || set->jobs[i].opts.verify.dump ||
		    saves_state(&set->jobs[i].opts) || set->jobs[i].engine->caps & ENG_NOIO)
			return true;
	return false;
}

void messages_unused_flags(struct plan *p)
{
	if (p->set->run.aux_path && !writes_aux(p->set))
		notes_add(&p->notes, "--aux-path=%s: no job writes a file there", p->set->run.aux_path);
	if (p->set->run.series > SERIES_NONE && (p->set->run.as_fio || !(p->set->run.formats & OUT_JSON)))
		notes_add(&p->notes, "--series: only fiord's own JSON has the series");
	if (debugs(p, ~(unsigned)DEBUG_KNOWN))
		notes_add(&p->notes, "--debug: only process, file, io, job, parse and random print anything");
}

/* Prints a note unless it has been printed: clones and repeated runs have the same notes. job is NULL for a
   note on the run. */
static void print_note(const char *program, const struct result_job *job, const char *line,
		       struct notes *printed)
{
	size_t before = printed->count;
	struct strbuf name = { 0 };

	if (job)
		strbuf_plain(&name, job->name);
	notes_add(printed, "%s%s%s", strbuf_str(&name), job ? ": " : "", line);
	if (printed->count > before)
		fprintf(stderr, "%s: note: %s\n", program, printed->line[before]);
	strbuf_fini(&name);
}

void messages_notes(const struct result *res, struct notes *printed)
{
	const char *name = res->as_fio ? "fio" : "fiord";

	if (!isatty(STDERR_FILENO))
		return;
	if (res->spans && res->spans->as_diskspd)
		name = "diskspd";
	for (size_t i = 0; i < res->notes.count; i++)
		print_note(name, NULL, res->notes.line[i], printed);
	for (size_t i = 0; i < res->njobs; i++)
		for (size_t k = 0; k < res->jobs[i]->notes.count; k++)
			print_note(name, res->jobs[i], res->jobs[i]->notes.line[k], printed);
}

void messages_run(const struct job_set *set, unsigned run, unsigned runs)
{
	if (runs && !(set->run.formats & OUT_TEXT) && isatty(STDERR_FILENO))
		fprintf(stderr, "%s: run %u of %u\n", cmd_name(set), run, runs);
}

static void add_file_name(struct strbuf *b, const char *path)
{
	if (!path || !strcmp(path, "-"))
		return;
	strbuf_printf_plain(b, "%s%s", b->len ? ", " : "", path);
}

void messages_files(const struct job_set *set)
{
	const struct run_opts *o = &set->run;
	struct strbuf b = { 0 };

	add_file_name(&b, o->output.path);
	for (size_t i = 0; i < o->nfiles; i++)
		add_file_name(&b, o->files[i].path);
	add_file_name(&b, o->report);
	add_file_name(&b, o->csv);
	add_file_name(&b, o->junit);
	if (b.len && !o->as_fio && isatty(STDERR_FILENO))
		fprintf(stderr, "%s: the result%s in %s\n", cmd_name(set),
			o->repeat > 1 ? "s of all runs are" : " is", strbuf_str(&b));
	strbuf_fini(&b);
}

void messages_verdicts(const struct job_set *set, const struct result *res)
{
	struct strbuf b = { 0 };

	for (size_t i = 0; i < res->verdicts.n; i++) {
		const struct result_verdict *v = &res->verdicts.v[i];

		if (v->passed)
			continue;
		strbuf_clear(&b);
		verdict_failure(&b, v);
		fprintf(stderr, "%s: --assert='%s' failed: %s\n", cmd_name(set), v->assertion,
			strbuf_str(&b));
	}
	strbuf_fini(&b);
}

/* Returns the number of workers of one job, from i on, with the same error. */
static uint32_t same_errors(const struct run *r, uint32_t i)
{
	const struct plan *p = r->plan;
	const char *text = run_slot(r, i)->error_text;
	uint32_t n = 1;

	while (i + n < p->njobs && p->jobs[i + n].job == p->jobs[i].job &&
	       !strcmp(run_slot(r, i + n)->error_text, text))
		n++;
	return n;
}

static bool same_as_before(const struct run *r, uint32_t i)
{
	return i && r->plan->jobs[i - 1].job == r->plan->jobs[i].job &&
	       !strcmp(run_slot(r, i - 1)->error_text, run_slot(r, i)->error_text);
}

static void print_error(const struct run *r, uint32_t i)
{
	const struct slot *slot = run_slot(r, i);
	uint32_t n;

	if (!slot->error_text[0] || same_as_before(r, i))
		return;
	n = same_errors(r, i);
	fprintf(stderr, "%s: %s: %s", cmd_name(r->plan->set), r->plan->jobs[i].job->name, slot->error_text);
	if (n > 1)
		fprintf(stderr, " (%u workers)", n);
	fputc('\n', stderr);
}

/* Prints damage that is not the error of the job, because the job survived it or failed with another error.
   Such damage makes the run fail, too. */
static void print_damage(const struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	struct slot *slot = run_slot(r, i);
	const struct region_verify *v = plan_verifies(pj) ? slot_verify(slot, pj) : NULL;
	const char *other = slot->error_text[0] ? "" : slot->survived_error;

	if (!v || !v->damaged || slot->error == EILSEQ)
		return;
	fprintf(stderr, "%s: %s: verification found %" PRIu64 " damaged block%s; the first: %s%s%s\n",
		cmd_name(r->plan->set), pj->job->name, v->damaged, v->damaged == 1 ? "" : "s", v->first,
		*other ? "; the first other error: " : "", other);
}

/* Prints that the job was to verify, and has checked nothing. */
static void print_unchecked(const struct run *r, uint32_t i)
{
	const struct plan_job *pj = &r->plan->jobs[i];
	struct slot *slot = run_slot(r, i);
	const struct region_verify *v;

	if (r->signals.first || !collect_unchecked(pj, slot))
		return;
	v = slot_verify(slot, pj);
	fprintf(stderr,
		"%s: %s: verification checked no block: %" PRIu64 " in part, %" PRIu64 " not checked\n",
		cmd_name(r->plan->set), pj->job->name, v->in_part, v->not_checked);
}

/* Prints the first error, as DISKSPD does. */
static void print_first_error(const struct run *r)
{
	struct strbuf b = { 0 };
	uint32_t more = 0;

	for (uint32_t i = 0; i < r->plan->njobs; i++) {
		const struct slot *slot = run_slot(r, i);
		const char *text = slot->error_text[0] ? slot->error_text : slot->lost_reason;

		if (!*text)
			continue;
		if (!b.len)
			strbuf_puts(&b, text);
		else
			more++;
	}
	if (more)
		strbuf_printf(&b, " (and %u more thread%s)", more, more > 1 ? "s" : "");
	if (b.len)
		fprintf(stderr, "ERROR: %s\n", strbuf_str(&b));
	strbuf_fini(&b);
}

void messages_errors(const struct run *r, const struct logs *l, const struct live *live)
{
	const struct plan *p = r->plan;
	char why[80], output[4096];

	if (logs_failed(l, output, sizeof(output)))
		fprintf(stderr, "%s: %s\n", cmd_name(p->set), output);
	if (live_failed(live, output, sizeof(output)))
		fprintf(stderr, "%s: %s\n", cmd_name(p->set), output);
	if (trigger_failed(&r->trigger, why, sizeof(why)))
		fprintf(stderr, "%s: --trigger=%s: %s\n", cmd_name(p->set), p->set->run.trigger.command, why);
	if (p->set->diskspd.profile) {
		print_first_error(r);
		return;
	}
	for (uint32_t i = 0; i < p->njobs; i++) {
		const struct slot *slot = run_slot(r, i);

		print_error(r, i);
		print_damage(r, i);
		print_unchecked(r, i);
		if (slot->lost_reason[0] && !slot->pid)
			fprintf(stderr, "%s: %s, clone %u: %s\n", cmd_name(p->set), p->jobs[i].job->name,
				p->jobs[i].clone, slot->lost_reason);
		else if (slot->lost_reason[0])
			fprintf(stderr, "%s: %s, clone %u (pid %d): %s\n", cmd_name(p->set),
				p->jobs[i].job->name, p->jobs[i].clone, slot->pid, slot->lost_reason);
	}
}
