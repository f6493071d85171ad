/* message.h: the text of an error or note, before a reader is known. It is one line. Its format refers to
   options, sections and a few words in braces; message_render puts in the words of the reader: those of a job
   file (the default), or those of a speller, such as of a DISKSPD line. Pure.

     {bs=%u} {bs}       an option as the user gave it, or its name alone
     {+direct=1}        a value that the text advises
     {~clone|clones}    a word: its key, and the job file's word
     {@%s:%u: }         where the option or section stands, with the separator after it
     {#%s}              the section of a job file
     {{                 a brace
     {? or {+thread=1}} a part that is left out if the reader has no words for a value that it advises

   Only the format can contain references. In arguments braces stay braces and control characters become '?',
   so that no file name or value is taken for a reference. Messages mark references by control characters. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>

struct strbuf;

enum message_mark {
	MARK_OPTION = 1,
	MARK_SETTING = 3,
	MARK_WORD = 4,
	MARK_PLACE = 5,
	MARK_SECTION = 6,
};

/* The names of one input language. */
struct speller {
	/* Adds the language's name for the marked text. key is the key of a MARK_WORD, otherwise "". Returns
	   false and adds nothing if it has no name; the job file's name is used then. */
	bool (*spell)(const struct speller *s, enum message_mark mark, const char *key, const char *text,
		      struct strbuf *out);
	const void *ctx; /* private data of the speller */
};

/* Adds a message to *out. */
void message_printf(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void message_vprintf(struct strbuf *out, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Adds the message with the names of a speller, or with those of a job file if it is NULL. A mark that is cut
   off at the end of the message ends there. */
void message_render(const char *message, const struct speller *s, struct strbuf *out);

#endif
