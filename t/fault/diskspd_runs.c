#include "diskspd_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>
#include "clock.h"
#include "cmdline.h"
#include "strbuf.h"
#include "tojob.h"
#include "plan.h"
#include "run.h"
#include "run_snapshot.h"
#include "profile_xml.h"

#define WORDS    32
#define SECTIONS 8

static int load(void *ctx, const char *path, struct strbuf *out)
{
	const struct strbuf *text = ctx;

	(void)path;
	strbuf_add(out, strbuf_str(text), text->len);
	return out->failed ? -1 : 0;
}

static void to_job(const char *line, struct ds_job *job, struct diag *d)
{
	char copy[256];
	const char *argv[WORDS];
	struct notes notes = { 0 };
	struct ds_line l;
	struct ds_job_cfg cfg = { .line = &l };
	int argc = 0;

	assert_true(strlen(line) < sizeof(copy));
	strcpy(copy, line);
	for (char *at = strtok(copy, " "); at && argc < WORDS; at = strtok(NULL, " "))
		argv[argc++] = at;
	if (ds_line_parse(&l, DS_DIALECT_23, argc, argv, &notes, d) || ds_to_job(&l.profile, &cfg, job, d))
		fail_msg("%s: %s", line, diag_text(d));
	ds_line_fini(&l);
	notes_fini(&notes);
}

static void xml_to_job(const char *xml, struct ds_job *job, struct diag *d)
{
	static const struct ds_line none;
	struct ds_job_cfg cfg = { .line = &none };
	struct ds_profile p;

	if (ds_xmlread(&p, "xml", xml, strlen(xml), DS_DIALECT_23, d) || ds_to_job(&p, &cfg, job, d))
		fail_msg("%s: %s", xml, diag_text(d));
	ds_profile_fini(&p);
}

static void new_log(void)
{
	if (timed_plan.log)
		munmap(timed_plan.log, sizeof(*timed_plan.log));
	timed_plan.log = mmap(NULL, sizeof(*timed_plan.log), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(timed_plan.log != MAP_FAILED);
}

static void keep(struct ds_outcome *o, const struct run *r, const struct plan *p)
{
	struct snapshot one = { 0 };

	o->jobs = p->njobs;
	o->log = timed_plan.log;
	for (uint32_t i = 0; i < p->njobs; i++) {
		assert_int_equal(run_slot(r, i)->error, 0);
		assert_int_equal(run_snapshot(r, i, &one), 0);
		assert_int_equal(snap_add(&o->all, &one), 0);
		snap_fini(&one);
	}
}

/* Swaps in the timed engine and back, so that the real engines free their options. Workers are processes,
 * each with its own clock. */
static void swap_engines(struct job_set *set, const struct engine *other[SECTIONS])
{
	assert_true(set->njobs <= SECTIONS);
	for (size_t i = 0; i < set->njobs; i++) {
		const struct engine *was = set->jobs[i].engine;

		set->jobs[i].engine = other[i];
		set->jobs[i].opts.group.thread = false;
		other[i] = was;
	}
}

/* Frees the job. */
static void run_job(struct ds_outcome *o, const char *line, struct ds_job *job, uint64_t service_ns)
{
	static const struct run_hooks hooks;
	char *argv[] = { (char *)"fiord", (char *)"--", (char *)"line" };
	const struct jobfile_source from = { .load = load, .ctx = &job->text };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct facts facts = { 0 };
	struct plan p = { 0 };
	struct run r = { 0 };
	struct diag d = { 0 };
	const struct engine *real[SECTIONS];

	for (unsigned i = 0; i < SECTIONS; i++)
		real[i] = &engine_timed;
	memset(o, 0, sizeof(*o));
	timed_plan.service_ns = service_ns;
	new_log();
	clock_virtual_ns = START;
	if (cmdline_parse_from(&from, &c, &set, 3, argv, &d))
		fail_msg("%s: %s", line, diag_text(&d));
	job_set_as_diskspd(&set);
	swap_engines(&set, real);
	if (plan_build(&p, &set, &facts, &d) || run_plan(&r, &p, &hooks, &d))
		fail_msg("%s: %s", line, diag_text(&d));
	keep(o, &r, &p);
	run_fini(&r);
	plan_fini(&p);
	swap_engines(&set, real);
	job_set_fini(&set);
	ds_job_fini(job);
	diag_fini(&d);
}

void ds_run_line(struct ds_outcome *o, const char *line, uint64_t service_ns)
{
	struct ds_job job = { 0 };
	struct diag d = { 0 };

	to_job(line, &job, &d);
	run_job(o, line, &job, service_ns);
}

void ds_run_xml(struct ds_outcome *o, const char *xml, uint64_t service_ns)
{
	struct ds_job job = { 0 };
	struct diag d = { 0 };

	xml_to_job(xml, &job, &d);
	run_job(o, xml, &job, service_ns);
}

void ds_outcome_fini(struct ds_outcome *o)
{
	snap_fini(&o->all);
}

void ds_virtual(void)
{
	clock_virtual = true;
}
