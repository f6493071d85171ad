/* diskspd_system.c: DISKSPD's reports without a run: -Rs, and the XML of a run that could not start. */
#include "cmd_diskspd.h"
#include "report.h"
#include "spans.h"
#include "topology.h"
#include "version.h"

/* Adds the description of this machine, and the other members of `head`, to r. */
static int describe_system(struct result *r, struct result_spans *head)
{
	struct arena mem = { 0 };
	int err = topology_read(&head->system, &mem);

	result_environment(r);
	head->system.computer = r->env.host;
	head->system.processor = r->env.cpu;
	head->system.start_ms = r->timestamp_ms;
	if (!err)
		result_set_spans(r, head);
	arena_fini(&mem);
	return err;
}

int ds_show_system(const struct ds_task *t, struct strbuf *out, struct diag *d)
{
	/* -Rs came with version 2.3, so its layout is the default. */
	struct result_spans head = { .layout = t->cmd->layout_given ? t->cmd->layout : DS_LAYOUT_23 };
	struct result r;
	int err;

	result_init(&r, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	err = describe_system(&r, &head);
	err = err ? err : report_diskspd_system(&r, t->profile->format == DS_XML, out);
	result_free(&r);
	return err ? diag_kind(d, DIAG_RUN, err, "out of memory") : 0;
}

int ds_put_refusal(const struct job_set *set, const char *why, struct strbuf *out)
{
	const struct job_diskspd *line = &set->diskspd;
	struct result_spans head = { .profile = line->profile,
				     .command = line->command,
				     .layout = line->layout,
				     .as_diskspd = line->as_diskspd };
	const struct result_span span = { .number = 1, .error = why };
	struct result r;
	int err;

	result_init(&r, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	err = describe_system(&r, &head);
	if (!err)
		result_add_span(&r, &span);
	result_finish(&r);
	err = err ? err : report_diskspd_xml(&r, out);
	result_free(&r);
	return err;
}
