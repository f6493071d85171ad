/* noio.h: runs a job that does no I/O (ENG_NOIO). */
#ifndef NOIO_H
#define NOIO_H

struct worker;

void noio_run(struct worker *w);

#endif
