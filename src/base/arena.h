/* arena.h: memory for a whole phase (job set, plan). All of an arena is freed at once. */
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;
struct arena {
	struct arena_block *head;
	bool shared; /* processes that are forked later share the memory, and fork copies no page tables of
			it; they only read it */
};

/* All return memory that is zeroed and aligned for any type, or NULL when memory is short. */
void *arena_alloc(struct arena *a, size_t bytes);
void *arena_array(struct arena *a, size_t count, size_t bytes);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_fini(struct arena *a);

#endif
