/* dumpfile.h: a file that asks for a status: fio-dump-status (as in fio) or fiord-dump-status in $TMPDIR,
   else in /tmp. */
#ifndef DUMPFILE_H
#define DUMPFILE_H

#include <stdbool.h>

/* Whether it was there; it is gone now. Only a regular file of this user or of root counts: others could keep
   a run busy. */
bool dumpfile_taken(void);

#endif
