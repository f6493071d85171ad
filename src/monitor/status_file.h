/* dump_file.h: a file that asks for a status: fio-dump-status (as in fio) or fiord-dump-status in $TMPDIR,
   else in /tmp. */
#ifndef STATUS_FILE_H
#define STATUS_FILE_H

#include <stdbool.h>

/* Whether it was there; it is gone now. Only a regular file of this user or of root counts: others could keep
   a run busy. */
bool status_file_take(void);

#endif
