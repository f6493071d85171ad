/* io_prio.c: priorities of single I/Os. Jobs without them pay only one test per batch. */
#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clone.h"
#include "account.h"
#include "prio.h"

#define WHO_PROCESS 1 /* IOPRIO_WHO_PROCESS, which means one thread */

/* Returns 0 if the kernel accepts this priority, or -errno. It changes nothing: the kernel checks the
   priority before it finds that the process does not exist. */
static int refused(uint16_t value)
{
	return syscall(SYS_ioprio_set, WHO_PROCESS, INT_MAX, value) && errno != ESRCH ? -errno : 0;
}

static bool check_prio(struct clone *c, uint16_t value)
{
	unsigned class = value >> 13, hint = value >> 3 & 1023;
	int err = -refused(value);

	if (!err)
		return true;
	clone_fail(c, err, "I/Os of priority %u/%u (class/level), hint %u: %s%s%s", class, value & 7, hint,
		   diag_errno(err),
		   err == EPERM ? "; the real-time class needs CAP_SYS_NICE or CAP_SYS_ADMIN, the class best "
				  "effort (2) needs neither"
				: "",
		   err == EINVAL && hint ? "; hints need Linux 6.5" : "");
	return false;
}

bool io_prio_init(struct prio_gen *g, struct clone *c, struct wstat *st)
{
	const struct prio_set *set = c->job->prios;
	struct wstat_prio *count = wstat_prios(st, &c->job->layout);
	long own = syscall(SYS_ioprio_get, WHO_PROCESS, 0);

	/* Older kernels return a level without a class for a thread that has no priority. */
	c->slot->ioprio = own > 0 && own >> 13 ? (uint16_t)own : 0;
	if (!set)
		return true;
	for (unsigned i = 0; i < set->n; i++) {
		if (i && !check_prio(c, set->value[i]))
			return false;
		if (c->job->layout.nprio)
			count[i].prio = i ? set->value[i] : c->slot->ioprio;
	}
	prio_init(g, set, c->job->seed + 3);
	return true;
}

void io_prio_draw(struct prio_gen *g, struct io **ios, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t number = prio_next(g, ios[i]->dir, ios[i]->total);

		ios[i]->prio_number = number;
		ios[i]->prio = number ? g->set->value[number] : 0;
	}
}

void io_prio_account(struct wstat *st, const struct wstat_layout *l, struct io *const *ios, unsigned n,
		     uint64_t now_ns)
{
	struct wstat_prio *count = wstat_prios(st, l);

	for (unsigned i = 0; i < n && l->nprio; i++) {
		const struct io *io = ios[i];
		uint64_t start = l->prio_kind == LAT_LAT ? io->start_ns : io->issue_ns;
		uint64_t ns = now_ns > start ? now_ns - start : 0;

		if (io->dir >= WSTAT_PRIO_DIRS || io->res != (int64_t)io->len)
			continue;
		moments_add(&count[io->prio_number].lat[io->dir], ns);
		hist_add(&count[io->prio_number].hist[io->dir], ns);
	}
}
