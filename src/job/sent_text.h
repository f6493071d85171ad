/* sent_text.h: sends job files from one machine to others. The sender records each file that its parser
   loads; the others parse the same files from the record. */
#ifndef SENT_TEXT_H
#define SENT_TEXT_H

#include "jobfile.h"
#include "strbuf.h"

struct sent_text {
	struct strbuf record; /* the version, and of each file: path, error, length and text */
};

/* The source of the sender: reads files, and records them. It begins the record with the version of the
   sender's program. */
struct jobfile_source sent_text_recorder(struct sent_text *t, const char *version);
/* Checks a record that was received: it is whole, and its sender is of this version. Returns 0 or -EPROTO
   with d. */
int sent_text_check(const struct sent_text *t, const char *version, struct diag *d);
/* The source of the others, after sent_text_check. A file that the sender has not loaded is missing
   (-ENOENT). */
struct jobfile_source sent_text_reader(struct sent_text *t);

#endif
