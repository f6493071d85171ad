/* cmd_check.c: the verb check: prints the plan as text, or as a JSON document without results. */
#include <errno.h>
#include <stdlib.h>
#include "clock.h"
#include "cmd.h"
#include "collect.h"
#include "planning.h"
#include "report.h"
#include "strbuf.h"
#include "target_storage.h"
#include "version.h"

void cmd_check_text(const struct plan *p, struct strbuf *b)
{
	plan_print(p, b);
	for (size_t i = 0; i < p->set->notes.count; i++)
		strbuf_printf(b, "note: %s\n", p->set->notes.line[i]);
	for (size_t i = 0; i < p->notes.count; i++)
		strbuf_printf(b, "note: %s\n", p->notes.line[i]);
	for (size_t i = 0; i < p->overwrite_notes.count; i++)
		strbuf_printf(b, "note: %s\n", p->overwrite_notes.line[i]);
}

static int put_json(const struct plan *p, struct strbuf *b)
{
	struct target_storage storage = { 0 };
	struct result res;
	int ret;

	if (!p->kernel_clock)
		clock_init();
	result_init(&res, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	collect_command(&res, p);
	result_environment(&res);
	collect_notes(&res, p, false);
	target_storage_probe(&storage, p);
	collect_plan(&res, p);
	target_storage_result(&storage, &res);
	result_finish(&res);
	ret = report_json(&res, b);
	target_storage_fini(&storage);
	result_free(&res);
	return ret;
}

static int show_plan(const struct plan *p, struct diag *d)
{
	unsigned formats = p->set->run.output.formats ? p->set->run.output.formats : OUT_NORMAL;
	struct strbuf b = { 0 };
	int ret = 0, code;

	if (formats & OUT_TERSE) {
		diag_err(d, -EINVAL,
			 "--output-format=terse: a plan has no terse form; choose json or normal");
		return EXIT_USAGE;
	}
	if (formats & OUT_SPANS) {
		diag_err(d, -EINVAL,
			 "--output-format=diskspd: only a run has this report; \"fiord diskspd --from-job "
			 "FILE\" prints the profile");
		return EXIT_USAGE;
	}
	if (formats & OUT_JSON)
		ret = put_json(p, &b);
	if (formats & OUT_NORMAL)
		cmd_check_text(p, &b);
	if (ret || b.failed) {
		diag_no_memory(d);
		code = EXIT_JOB;
	} else {
		code = cmd_put(strbuf_str(&b), d);
	}
	strbuf_fini(&b);
	return code;
}

int cmd_check(struct job_set *set, struct diag *d)
{
	struct planning *p = calloc(1, sizeof(*p));
	int code;

	if (!p) {
		diag_no_memory(d);
		return EXIT_JOB;
	}
	if (!set->njobs)
		diag_err(d, -EINVAL, "no job to check; name a job file, or use --name=NAME and its options");
	code = d->err || planning_init(p, set, d) ? cmd_code(d) : show_plan(&p->plan, d);
	if (code != EXIT_OK && code != EXIT_OUTPUT)
		cmd_put_refusal(set, code, d);
	planning_fini(p);
	free(p);
	return code;
}
