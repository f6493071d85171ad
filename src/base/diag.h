/* diag.h: errors and notes. The code that finds an error sets it, its callers prepend their context, and main
   prints it once. Notes are printed in the report and in the JSON document. Both texts are messages
   (message.h): they refer to options by marks, and the marks become option names of a job file or of a
   DISKSPD command line when the text is printed. */
#ifndef DIAG_H
#define DIAG_H

#include <stddef.h>
#include "message.h"

/* The kind decides the exit code if nothing has run yet. */
enum diag_kind {
	DIAG_USAGE,  /* usage or job file: exit 2 */
	DIAG_TARGET, /* a target was refused: exit 3 */
	DIAG_RUN,    /* the run failed: exit 1 */
	DIAG_OUTPUT, /* a result could not be written: exit 6 */
	DIAG_SIGNAL, /* a signal, err = -signal, ended the program before the run: exit 128 + signal */
};

struct diag {
	enum diag_kind kind;
	int err;       /* 0, or -errno of the first failure */
	char *message; /* owned; NULL while there is no error */
	char *text;    /* owned; the rendered message */
};

/* Sets the error, unless an earlier one is set: the first error counts. Returns err. */
int diag_err(struct diag *d, int err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int diag_kind(struct diag *d, enum diag_kind kind, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Sets -ENOMEM, "out of memory" (DIAG_RUN). Returns -ENOMEM. */
int diag_no_memory(struct diag *d);
/* Sets the error with the message of another diag. */
int diag_message(struct diag *d, enum diag_kind kind, int err, const char *message);
/* Puts "fmt: " before the message. Returns d->err. */
int diag_wrap(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Puts fmt before the message: a place in a file, or a section. Returns d->err. */
int diag_place(struct diag *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Selects the speller that renders the text. NULL selects the words of a job file, which are the default. */
void diag_spell(struct diag *d, const struct speller *s);
/* Returns the rendered message; never NULL. */
const char *diag_text(const struct diag *d);
void diag_fini(struct diag *d);

/* Returns a text such as "Input/output error (EIO)". It is valid until the next call of the same thread. err
   may be negative. */
const char *diag_errno(int err);

/* Returns a probable cause, such as " (too many open files for ulimit -n)", or "" if none is known. */
const char *diag_hint(int err);

/* Messages for the user who reads the report. A list holds each message once. */
struct notes {
	char **line; /* the rendered messages: in the words of a job file until notes_spell */
	size_t count;
	char **message; /* the messages with marks; NULL if no line has marks */
	/* A hash table that finds a message: 1 + its index, or 0. size is 0 or a power of two. */
	struct {
		size_t *index, size;
	} table;
};
void notes_add(struct notes *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a formatted message with its marks. */
void notes_add_message(struct notes *n, const char *message);
void notes_copy(struct notes *to, const struct notes *from);
/* Renders all present lines again with this speller. */
void notes_spell(struct notes *n, const struct speller *s);
void notes_fini(struct notes *n);

#endif
