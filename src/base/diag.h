/* diag.h: one error, worded where the user's words are known, wrapped on the way up, printed once by main;
   and notes, which end up in the report and the document. */
#ifndef DIAG_H
#define DIAG_H

#include <stdarg.h>
#include <stddef.h>

/* Decides the exit code when nothing has run yet. */
enum diag_kind {
	DIAG_USAGE,  /* usage or job file: exit 2 */
	DIAG_TARGET, /* a target was refused: exit 3 */
	DIAG_RUN,    /* the run failed: exit 1 */
	DIAG_OUTPUT, /* a result could not be written: exit 6 */
};

struct diag {
	enum diag_kind kind;
	int err;    /* 0, or -errno of the first failure */
	char *text; /* owned; NULL while there is no error */
};

/* Sets the error unless one is set already (the first one is the one to tell). Returns err. */
int diag_err(struct diag *d, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int diag_kind(struct diag *d, enum diag_kind kind, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Puts "fmt: " before the text. Returns d->err. */
int diag_wrap(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The text, never NULL. */
const char *diag_text(const struct diag *d);
void diag_fini(struct diag *d);

/* "Input/output error (EIO)"; valid until the next call of the same thread. err may be negative. */
const char *diag_errno(int err);

/* What may be behind it and would help, such as " (limit on file sizes: ulimit -f)"; "" if nothing is known.
 */
const char *diag_hint(int err);

/* Lines for the reader of the report. The same line is kept once. */
struct notes {
	char **line;
	size_t count;
};
void notes_add(struct notes *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void notes_fini(struct notes *n);

#endif
