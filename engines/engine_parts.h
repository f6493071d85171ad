/* engine_parts.h: what several engines share. */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"
#include "io.h"
#include "opt.h"
#include "types.h"

struct file;

/* autoflag.c: a flag that is on by default where the kernel allows it. If the user sets it to 1, a failure is
   an error; 0 switches it off. */

enum autoflag { AUTOFLAG_AUTO = -1, AUTOFLAG_OFF = 0, AUTOFLAG_ON = 1 };

/* Type of an int32_t option: -1, 0 or 1; the bare word means 1. */
extern const struct opt_type autoflag_type;

/* clang-format off */
#define AUTOFLAG(field) .type = &autoflag_type, OPT_AT(field, int32_t *), .def = "-1", .bare = true, \
	OPT_RANGE((uint64_t)(int64_t)AUTOFLAG_AUTO, AUTOFLAG_ON)
/* clang-format on */

/* done_queue.c: completed I/Os that wait to be reaped, oldest first. It has room for `depth` I/Os. */

struct done_queue {
	struct io **slot; /* owned */
	unsigned head, tail, size;
};

/* Returns 0 or -ENOMEM. */
int done_queue_init(struct done_queue *q, unsigned depth);
void done_queue_fini(struct done_queue *q);

/* Appends n I/Os whose res is set. */
static inline void done_queue_put(struct done_queue *q, struct io **ios, unsigned n)
{
	if (n > q->size - q->tail) {
		q->tail -= q->head;
		memmove(q->slot, q->slot + q->head, q->tail * sizeof(*ios));
		q->head = 0;
	}
	memcpy(q->slot + q->tail, ios, n * sizeof(*ios));
	q->tail += n;
}

static inline void done_queue_push(struct done_queue *q, struct io *io, int64_t res)
{
	io->res = res;
	done_queue_put(q, &io, 1);
}

/* Takes up to max I/Os; returns how many. */
static inline unsigned done_queue_pop(struct done_queue *q, struct io **out, unsigned max)
{
	unsigned n = q->tail - q->head;

	if (!n)
		return 0;
	n = n < max ? n : max;
	memcpy(out, q->slot + q->head, n * sizeof(*out));
	q->head += n;
	if (q->head == q->tail)
		q->head = q->tail = 0;
	return n;
}

/* polled.c: whether completions of I/O to a file can be polled for. */

/* The report says this where polling is impossible, and the job then runs without it. */
#define POLLED_IMPOSSIBLE \
	"hipri has no effect: the driver or file system cannot poll (an NVMe driver needs poll_queues)"

/* The report says this where the kernel does not poll for system calls; the flag is passed nevertheless. */
#define POLLED_IGNORED \
	"hipri: this kernel ignores RWF_HIPRI, because Linux 5.19 and later poll only for io_uring"

/* Checks whether polling works. The kernel polls for direct I/O only, and silently ignores the request where
   the driver cannot poll. Returns 0 if polling is possible or only an I/O can tell; 1 if it is impossible;
   else -EINVAL or -EOPNOTSUPP with ctx->d filled. hipri: the value as the user wrote it. */
int polled_check(struct engine_ctx *ctx, const struct file *f, const char *hipri);

/* Returns whether the kernel polls for the completions of system calls such as preadv2. Since Linux 5.19 it
   ignores RWF_HIPRI there, and polls only for io_uring. */
bool polled_system_calls(void);

/* rwf.c: whether the kernel and the file systems of a job's files support an RWF_* flag. */

#define RWF_NEEDS_DONTCACHE "RWF_DONTCACHE: Linux 6.14 or later, and not every file system"

/* Reads the first block of each open file with this flag. Returns 0, or -EOPNOTSUPP with ctx->d that names
   the option and its needs. Other errors are ignored here; the run will report them. */
int rwf_check(struct engine_ctx *ctx, uint32_t rwf, const char *option, const char *needs);

/* sigbus.c: copies from or to mapped memory that may be missing. The kernel sends SIGBUS if a mapped file
   has become shorter, or if its disk is full or fails; sigbus_copy turns that into a return value. */

/* Installs the handler, once per process, from any thread, before the first sigbus_copy. It stays
   installed; a SIGBUS from elsewhere has its usual effect. Returns 0 or -errno. */
int sigbus_init(void);
/* Copies like memcpy. Returns false if a page of [mapped, mapped + n), which is `to` or `from`, was
   missing; how much was copied is then unknown. */
bool sigbus_copy(void *to, const void *from, const void *mapped, size_t n);

/* stat_common.c: the option stat_type and the operation that filestat and dirstat share. */

struct stat_common_opts {
	unsigned type;
};

extern const struct opt_table stat_common_table;

int64_t stat_common_do_one(struct engine_ctx *ctx, struct io *io);

#endif
