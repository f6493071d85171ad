/* diskspd_words.h: rewords errors and notes about a job for the DISKSPD line that it came from. Texts stay as
   they are if w is NULL (no line) or memory is short. */
#ifndef DISKSPD_WORDS_H
#define DISKSPD_WORDS_H

#include "diag.h"
#include "reword.h"
#include "result.h"
#include "strbuf.h"

/* Adds the reworded text to *out. */
void diskspd_words(const struct ds_reword *w, const char *text, struct strbuf *out);
void diskspd_words_diag(const struct ds_reword *w, struct diag *d);
/* Rewords notes and the errors of jobs and time spans. */
void diskspd_words_result(const struct ds_reword *w, struct result *r);

#endif
