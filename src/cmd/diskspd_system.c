/* diskspd_system.c: diskspd -Rs: describes the system, and runs nothing. */
#include "cmd_diskspd.h"
#include "report.h"
#include "spans.h"
#include "topology.h"
#include "version.h"

/* -Rs came with version 2.3, so its layout is the default. */
static int describe(struct result *r, const struct ds_task *t)
{
	struct result_spans head = { .layout = t->cmd->layout_given ? t->cmd->layout : DS_LAYOUT_23 };
	struct arena mem = { 0 };
	int err = topology_read(&head.system, &mem);

	result_environment(r);
	head.system.computer = r->env.host;
	head.system.processor = r->env.cpu;
	head.system.start_ms = r->timestamp_ms;
	if (!err)
		result_set_spans(r, &head);
	arena_fini(&mem);
	return err;
}

int ds_show_system(const struct ds_task *t, struct strbuf *out, struct diag *d)
{
	struct result r;
	int err;

	result_init(&r, "fiord", FIORD_VERSION, FIORD_FIO_VERSION);
	err = describe(&r, t);
	err = err ? err : report_diskspd_system(&r, t->profile->format == DS_XML, out);
	result_free(&r);
	return err ? diag_kind(d, DIAG_RUN, err, "out of memory") : 0;
}
