/* job_notes.h: finds notes that a report has already printed. Clones share notes, and so do the hosts of a
   merged result. Internal to report/. */
#ifndef REPORT_JOB_NOTES_H
#define REPORT_JOB_NOTES_H

#include "result.h"

/* Returns true if an entry before this one has printed the note: the one before with the same name, or one of
   the same name on any other host. */
bool job_note_printed(const struct result *r, size_t job, const char *line);
/* Returns the number of later entries of the same name on other hosts with this note. */
size_t job_note_hosts(const struct result *r, size_t job, const char *line);

#endif
