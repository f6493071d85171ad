/* message.h: the text of an error or note, before a reader is known. It is one line. It refers to options,
   job sections and a few words by the marks below; message_render puts in the words of the reader: those of a
   job file (the default), or those of a speller, such as of a DISKSPD line. Pure.

   Marks stand in formats, never in arguments: a control character that an argument brings becomes '?', and so
   no file name or value can forge a mark. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>
#include "strbuf.h"

/* An option as the user gave it, "bs=%u", or its name alone, "bs". */
#define MSG_OPTION(text) "\001" text "\002"
/* A value that the text advises: "direct=1". */
#define MSG_SETTING(text) "\003" text "\002"
/* A word that other readers have another word for: the key says which one, the text is the job file's. */
#define MSG_WORD(key, text) "\004" key "|" text "\002"
/* Where the option or section stands, with what separates it from the rest: "%s:%u: ". */
#define MSG_PLACE(text) "\005" text "\002"
/* The section of a job file. */
#define MSG_SECTION(name) "\006" name "\002"
/* A part that is left out if the reader has no words for a setting in it. Parts do not nest. */
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

/* The words of one kind of reader. */
struct speller {
	/* Adds its words for the marked text. key is that of a word, "" otherwise. False, with nothing added:
	   it has none, and the job file's are taken. */
	bool (*spell)(const struct speller *s, enum message_mark mark, const char *key, const char *text,
		      struct strbuf *out);
	const void *ctx; /* the speller's own */
};

/* Adds a message to *out. */
void message_printf(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void message_vprintf(struct strbuf *out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Adds the message in the words of a reader; NULL: those of a job file. A mark that was cut off at the end of
   the message ends there. */
void message_render(const char *message, const struct speller *s, struct strbuf *out);

#endif
