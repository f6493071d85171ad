/* sweep_list.h: the directory of a sweep: the list of its points, sweep.json, and their documents. */
#ifndef SWEEP_LIST_H
#define SWEEP_LIST_H

#include "strbuf.h"
#include "sweep_points.h"

/* Returns the path of a file in the directory, in the arena; NULL if memory is short. */
char *sweep_path(const struct sweep_points *p, const char *file);
/* Returns whether the file is the document of a run that ended well. */
bool sweep_document_complete(const char *path);

#endif
