/* message.h: the text of an error or note, with marks for the names that depend on the input language. A
   message is one line. Marks refer to options, job sections and a few words; message_render replaces them by
   the names of a job file (the default) or by those of a speller, for example of a DISKSPD command line.
   Pure.

   Marks stand in formats, never in arguments. A control character in an argument becomes '?', so that no file
   name or value can forge a mark. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>
#include "strbuf.h"

/* An option with its value as the user gave it, "bs=%u", or its name alone, "bs". */
#define MSG_OPTION(text) "\001" text "\002"
/* A value that the text advises: "direct=1". */
#define MSG_SETTING(text) "\003" text "\002"
/* A word that differs between input languages. The key identifies it; the text is the job file's word. */
#define MSG_WORD(key, text) "\004" key "|" text "\002"
/* The place of the option or section in a file, with its separator: "%s:%u: ". */
#define MSG_PLACE(text) "\005" text "\002"
/* The section of a job file. */
#define MSG_SECTION(name) "\006" name "\002"
/* A part that is left out if the speller has no name for a setting in it. Parts do not nest. */
#define MSG_ADVICE(text) "\016" text "\017"

#define MSG_CLONE   MSG_WORD("clone", "clone")
#define MSG_CLONES  MSG_WORD("clone", "clones")
#define MSG_WORKER  MSG_WORD("worker", "worker")
#define MSG_WORKERS MSG_WORD("worker", "workers")

enum message_mark {
	MARK_OPTION = 1,
	MARK_SETTING = 3,
	MARK_WORD = 4,
	MARK_PLACE = 5,
	MARK_SECTION = 6,
};

/* The names of one input language. */
struct speller {
	/* Adds its name for the marked text. key is the key of a MSG_WORD, otherwise "". Returns false and
   adds nothing if it has no name; the job file's name is used then. */
	bool (*spell)(const struct speller *s, enum message_mark mark, const char *key, const char *text,
		      struct strbuf *out);
	const void *ctx; /* the speller's own */
};

/* Adds a message to *out. */
void message_printf(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void message_vprintf(struct strbuf *out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Adds the message with the names of a speller; NULL: the names of a job file. A mark that is cut off at the
   end of the message ends there. */
void message_render(const char *message, const struct speller *s, struct strbuf *out);

#endif
