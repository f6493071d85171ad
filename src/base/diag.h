/* diag.h: one error, which the code that finds it sets, callers put their context before, and main prints
   once; and notes, which end up in the report and the document. Their texts are messages (message.h): they
   refer to options by marks, and get the words of a reader when they are printed. */
#ifndef DIAG_H
#define DIAG_H

#include <stdarg.h>
#include <stddef.h>
#include "message.h"

/* Decides the exit code when nothing has run yet. */
enum diag_kind {
	DIAG_USAGE,  /* usage or job file: exit 2 */
	DIAG_TARGET, /* a target was refused: exit 3 */
	DIAG_RUN,    /* the run failed: exit 1 */
	DIAG_OUTPUT, /* a result could not be written: exit 6 */
};

struct diag {
	enum diag_kind kind;
	int err;       /* 0, or -errno of the first failure */
	char *message; /* owned; NULL while there is no error */
	char *text;    /* owned; the message in a reader's words */
};

/* Sets the error; does nothing if there is one already, because the first one counts. Returns err. */
int diag_err(struct diag *d, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int diag_kind(struct diag *d, enum diag_kind kind, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same with the message of another diag. */
int diag_message(struct diag *d, enum diag_kind kind, int err, const char *message);
/* Puts "fmt: " before the message. Returns d->err. */
int diag_wrap(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts fmt, a place or section, before the message. Returns d->err. */
int diag_place(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* From here on the text is in the words of this reader. NULL: those of a job file, as before. */
void diag_spell(struct diag *d, const struct speller *s);
/* The text in a reader's words, never NULL. */
const char *diag_text(const struct diag *d);
void diag_fini(struct diag *d);

/* "Input/output error (EIO)"; valid until the next call of the same thread. err may be negative. */
const char *diag_errno(int err);

/* A probable cause, such as " (limit on file sizes: ulimit -f)"; "" if none is known. */
const char *diag_hint(int err);

/* Messages for the reader of the report; each one is there once. */
struct notes {
	char **line; /* each message in a reader's words: a job file's until notes_spell */
	size_t count;
	char **message; /* the same with marks; NULL if all lines come from elsewhere and have none */
};
void notes_add(struct notes *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a finished message, with its marks. */
void notes_message(struct notes *n, const char *message);
void notes_copy(struct notes *to, const struct notes *from);
/* The lines that are there get the words of this reader. */
void notes_spell(struct notes *n, const struct speller *s);
void notes_fini(struct notes *n);

#endif
