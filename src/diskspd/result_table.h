/* result_table.h: a table of DISKSPD's XML results, one row for each: the columns of Microsoft's
   Process-DiskSpd.ps1 and VM Fleet, in their order and units. Reads the XML of every version and fiord's.
   Pure. */
#ifndef DISKSPD_RESULT_TABLE_H
#define DISKSPD_RESULT_TABLE_H

#include <stddef.h>
#include "diag.h"

struct strbuf;

/* Adds the row of names. Cells are in quotes; the separator is a tab or a comma. */
void ds_result_table_head(char separator, struct strbuf *out);
/* Adds the row of one result. A cell is empty if the result does not have its figure. `path` names the file
   in the row, without folder and suffix, and in errors. Returns 0, or -errno with d. */
int ds_result_table_row(const char *path, const char *text, size_t len, char separator, struct strbuf *out,
			struct diag *d);

#endif
