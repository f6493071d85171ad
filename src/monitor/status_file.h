/* status_file.h: a file that asks for a status: fio-dump-status (as in fio) or fiord-dump-status, in $TMPDIR
   or in /tmp without that variable. */
#ifndef STATUS_FILE_H
#define STATUS_FILE_H

#include <stdbool.h>

/* Returns whether there was such a file, and removes it. Only a regular file of this user or of root counts,
   so that other users cannot keep a run busy. */
bool status_file_take(void);

#endif
