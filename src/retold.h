/* retold.h: errors and notes about a job -> the words of the DISKSPD line that it came from. All leave things
   as they are where w is NULL (no line) or memory is short. */
#ifndef RETOLD_H
#define RETOLD_H

#include "diag.h"
#include "retell.h"
#include "result.h"
#include "strbuf.h"

/* Adds text to *out in those words. */
void retold(const struct ds_retell *w, const char *text, struct strbuf *out);
void retold_diag(const struct ds_retell *w, struct diag *d);
/* Notes, and what ended jobs and time spans. */
void retold_result(const struct ds_retell *w, struct result *r);

#endif
