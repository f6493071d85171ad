/* lockmem.c: locks memory until the worker ends, so that less is left for the page cache. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clone.h"
#include "lockmem.h"

/* The worker checks the stop flag each time it has locked this many bytes. */
#define STEP ((size_t)64 << 20)

static bool fail_lock(struct clone *c, int err)
{
	struct rlimit rl = { .rlim_cur = RLIM_INFINITY };
	char limit[120] = "";

	getrlimit(RLIMIT_MEMLOCK, &rl);
	if (rl.rlim_cur != RLIM_INFINITY && (err == EPERM || err == ENOMEM || err == EAGAIN))
		snprintf(limit, sizeof(limit),
			 "; %" PRIu64 " KiB may be locked (ulimit -l); more needs CAP_IPC_LOCK",
			 (uint64_t)rl.rlim_cur >> 10);
	clone_fail(c, err, "lockmem=%" PRIu64 ": %s%s", c->opts->lockmem, diag_errno(err), limit);
	return false;
}

bool lockmem_lock(struct clone *c, void **locked)
{
	size_t bytes = c->opts->lockmem;

	if (!bytes)
		return true;
	*locked =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (*locked == MAP_FAILED) {
		*locked = NULL;
		clone_fail(c, errno, "lockmem=%" PRIu64 ": %s; the address space (ulimit -v) is used up",
			   c->opts->lockmem, diag_errno(errno));
		return false;
	}
	/* The address sanitizer replaces mlock() by a function that does nothing, but not the system call. */
	for (size_t at = 0; at < bytes && !clone_stopped(c); at += STEP)
		if (syscall(SYS_mlock, (char *)*locked + at, bytes - at < STEP ? bytes - at : STEP))
			return fail_lock(c, errno);
	return true;
}

void lockmem_unlock(const struct clone *c, void *locked)
{
	if (locked)
		munmap(locked, c->opts->lockmem);
}
