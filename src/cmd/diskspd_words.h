/* diskspd_words.h: errors and notes about a job -> the words of the DISKSPD line that it came from. All leave
   things as they are where w is NULL (no line) or memory is short. */
#ifndef DISKSPD_WORDS_H
#define DISKSPD_WORDS_H

#include "diag.h"
#include "reword.h"
#include "result.h"
#include "strbuf.h"

/* Adds text to *out in those words. */
void diskspd_words(const struct ds_reword *w, const char *text, struct strbuf *out);
void diskspd_words_diag(const struct ds_reword *w, struct diag *d);
/* Notes, and what ended jobs and time spans. */
void diskspd_words_result(const struct ds_reword *w, struct result *r);

#endif
