/* rank_document.h: each rank writes a document of its own before the ranks exchange their results. If ranks
   are lost, `fiord merge` can combine the documents of the others. With --output=all.json the rank NAME
   writes all.NAME.json. Without --output the ranks write none. */
#ifndef RANK_DOCUMENT_H
#define RANK_DOCUMENT_H

#include "comm.h"
#include "result.h"

/* Returns the path for the caller to free; NULL if memory is short. */
char *rank_document_path(const struct comm *c, const char *output);
/* Writes JSON+. Returns 0 or -errno with d. */
int rank_document_write(const char *path, const struct result *res, struct diag *d);

#endif
