/* io_prio.c: priorities of single I/Os. Jobs without them pay only one test per batch. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clone.h"
#include "io_prio.h"
#include "worker.h"

#define WHO_PROCESS 1 /* IOPRIO_WHO_PROCESS, which means one thread */

/* Returns 0 if the kernel accepts this priority, or -errno. It changes nothing: the kernel checks the
   priority before it finds that the process does not exist. */
static int refused(uint16_t value)
{
	return syscall(SYS_ioprio_set, WHO_PROCESS, INT_MAX, value) && errno != ESRCH ? -errno : 0;
}

static bool check(struct worker *w, uint16_t value)
{
	unsigned class = value >> 13, hint = value >> 3 & 1023;
	int err = -refused(value);

	if (!err)
		return true;
	clone_fail(&w->clone, err, "I/Os of priority %u/%u (class/level), hint %u: %s%s%s", class, value & 7,
		   hint, diag_errno(err),
		   err == EPERM
			   ? "; the real-time class takes CAP_SYS_NICE or CAP_SYS_ADMIN, cmdprio_class=2 "
			     "(best effort) takes neither"
			   : "",
		   err == EINVAL && hint ? "; hints take Linux 6.5" : "");
	return false;
}

bool io_prio_init(struct worker *w)
{
	const struct prio_set *set = w->clone.job->prios;
	struct wstat_prio *st = wstat_prios(w->stats.st, &w->clone.job->layout);
	long own = syscall(SYS_ioprio_get, WHO_PROCESS, 0);

	/* Older kernels return a level without a class for a thread that has no priority. */
	w->clone.slot->ioprio = own > 0 && own >> 13 ? (uint16_t)own : 0;
	if (!set)
		return true;
	for (unsigned i = 0; i < set->n; i++) {
		if (i && !check(w, set->value[i]))
			return false;
		if (w->clone.job->layout.nprio)
			st[i].prio = i ? set->value[i] : w->clone.slot->ioprio;
	}
	prio_init(&w->observers.prio, set, w->clone.job->seed + 3);
	return true;
}

void io_prio_draw(struct worker *w, struct io **ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t number = prio_next(&w->observers.prio, ios[i]->dir, ios[i]->total);

		ios[i]->prio_number = number;
		ios[i]->prio = number ? w->observers.prio.set->value[number] : 0;
	}
}

void io_prio_account(struct worker *w, unsigned n)
{
	const struct wstat_layout *l = &w->clone.job->layout;
	struct wstat_prio *st = wstat_prios(w->stats.st, l);

	for (unsigned i = 0; i < n && l->nprio; i++) {
		const struct io *io = w->q.reaped[i];
		uint64_t from = l->prio_kind == LAT_LAT ? io->start_ns : io->issue_ns;
		uint64_t ns = w->clock.now_ns > from ? w->clock.now_ns - from : 0;

		if (io->dir >= WSTAT_PRIO_DIRS || io->res != (int64_t)io->len)
			continue;
		moments_add(&st[io->prio_number].lat[io->dir], ns);
		hist_add(&st[io->prio_number].hist[io->dir], ns);
	}
}
