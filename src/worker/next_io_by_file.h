/* next_io_by_file.h: fills idle I/Os if each file has its own schedule (iodepth_per_file or thread_group with
   a rate). */
#ifndef NEXT_IO_BY_FILE_H
#define NEXT_IO_BY_FILE_H

struct worker;

/* For jobs with w->sched.nfiles. Fills up to `room` idle I/Os that are due and queues them. Returns how
   many. */
unsigned next_io_by_file(struct worker *w, unsigned room);

#endif
