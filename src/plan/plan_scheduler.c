/* plan_scheduler.c: ioscheduler: refuses a job if a device below its files has another scheduler. */
#include <string.h>
#include "plan_build.h"

/* Returns the present name of a scheduler. Linux 5.0 renamed some. */
static const char *name_today(const char *scheduler)
{
	if (!strcmp(scheduler, "noop"))
		return "none";
	return strcmp(scheduler, "deadline") ? scheduler : "mq-deadline";
}

static int check_scheduler(struct build *b, const struct plan_job *pj, const struct facts_target *t,
			   const char *wanted)
{
	const char *name = name_today(wanted);

	if (!t->media.scheduler[0]) {
		notes_add(&b->p->notes, "{ioscheduler=%s}: no device with a scheduler was found below %s",
			  wanted, t->path);
		return 0;
	}
	if (!strcmp(t->media.scheduler, name))
		return 0;
	return plan_err(b, pj->job, "ioscheduler",
			"{ioscheduler=%s}: %s, which holds %s, has the scheduler %s, and fiord does not "
			"change settings of devices; as root: echo %s >/sys/block/%s/queue/scheduler",
			wanted, t->media.disk, t->path, t->media.scheduler, name, t->media.disk);
}

int plan_scheduler(struct build *b, const struct plan_job *pj)
{
	const char *wanted = pj->job->opts.files.ioscheduler;
	int ret = 0;

	for (uint32_t i = 0; wanted && i < pj->nfiles && !ret; i++)
		if (pj->files[i].target < b->f->ntargets)
			ret = check_scheduler(b, pj, &b->f->targets[pj->files[i].target], wanted);
	return ret;
}
