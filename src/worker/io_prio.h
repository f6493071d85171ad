/* io_prio.h: priorities of single I/Os (the cmdprio options). */
#ifndef IO_PRIO_H
#define IO_PRIO_H

#include <stdbool.h>
#include <stdint.h>

struct clone;
struct io;
struct prio_gen;
struct wstat;
struct wstat_layout;

/* Reads the worker's own priority, and sets up those of the I/Os before any file is opened. Returns false
   after clone_fail. */
bool io_prio_init(struct prio_gen *g, struct clone *c, struct wstat *st);
/* Gives each of these I/Os its priority. Only if g->set. */
void io_prio_draw(struct prio_gen *g, struct io **ios, unsigned n);
/* Counts n I/Os, completed at now_ns, by priority. Called before short I/Os are continued. */
void io_prio_account(struct wstat *st, const struct wstat_layout *l, struct io *const *ios, unsigned n,
		     uint64_t now_ns);

#endif
