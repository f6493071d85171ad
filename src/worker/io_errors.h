/* io_errors.h: handles I/Os that fail or take too long. */
#ifndef IO_ERRORS_H
#define IO_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

struct clone;
struct io;
struct worker;

/* Temporary errors: the time since which no I/O has completed, and the number of I/Os before it. */
struct io_retry {
	uint64_t since_ns, ios;
};

/* The I/O failed with err (a positive errno). Counts the error, and fails the job unless the job continues
   after such errors. */
void io_errors_fail(struct worker *w, const struct io *io, int err, const char *reason);
/* The I/O met a temporary error (EINTR, EAGAIN). Returns true if the worker should try it again. Returns
   false, and fails the job, once no I/O has completed for several seconds. */
bool io_errors_retry(struct worker *w, const struct io *io, int err);
/* Fails the job if one of these I/Os, completed at now_ns, took longer than max_latency. */
void io_errors_check_latency(struct clone *c, struct io *const *ios, unsigned n, uint64_t now_ns);

#endif
