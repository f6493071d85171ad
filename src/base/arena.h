/* arena.h: memory for a whole phase (job set, plan), freed at once. */
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;
struct arena {
	struct arena_block *head;
	bool shared; /* by all processes forked later: no copies, nor page tables of them; they only read it
		      */
};

/* Zeroed, aligned for any type. NULL when memory is short. */
void *arena_alloc(struct arena *a, size_t bytes);
void *arena_array(struct arena *a, size_t count, size_t bytes);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_fini(struct arena *a);

#endif
