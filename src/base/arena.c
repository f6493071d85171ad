#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK_BYTES  65536
#define SHARED_BYTES ((size_t)1 << 20)

/* The leak sanitizer does not look for pointers in shared mappings until the program names them. */
extern void __lsan_register_root_region(const void *p, size_t size) __attribute__((weak));
extern void __lsan_unregister_root_region(const void *p, size_t size) __attribute__((weak));

struct arena_block {
	struct arena_block *next;
	size_t used, size, mapped; /* mapped: 0, or its whole length */
	_Alignas(max_align_t) unsigned char data[];
};

/* Maps a block of shared memory: fork does not copy its page tables, and pages that are not touched cost
   nothing. */
static struct arena_block *map_block(size_t want)
{
	size_t bytes = sizeof(struct arena_block) + want;
	struct arena_block *b;

	if (bytes < want)
		return NULL;
	bytes = bytes > SHARED_BYTES ? bytes : SHARED_BYTES;
	b = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (b == MAP_FAILED)
		return NULL;
	b->size = bytes - sizeof(*b);
	b->mapped = bytes;
	if (__lsan_register_root_region)
		__lsan_register_root_region(b, bytes);
	return b;
}

static struct arena_block *get_block(size_t want)
{
	size_t size = want > BLOCK_BYTES ? want : BLOCK_BYTES;
	struct arena_block *b = size > SIZE_MAX - sizeof(*b) ? NULL : calloc(1, sizeof(*b) + size);

	if (b)
		b->size = size;
	return b;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	struct arena_block *b = a->head;
	size_t want = (bytes + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	void *p;

	if (want < bytes)
		return NULL;
	if (!b || b->size - b->used < want) {
		b = a->shared ? map_block(want) : get_block(want);
		if (!b)
			return NULL;
		b->next = a->head;
		a->head = b;
	}
	p = b->data + b->used;
	b->used += want;
	return p;
}

void *arena_array(struct arena *a, size_t count, size_t bytes)
{
	size_t total;

	return __builtin_mul_overflow(count, bytes, &total) ? NULL : arena_alloc(a, total);
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = len < SIZE_MAX ? arena_alloc(a, len + 1) : NULL;

	if (p)
		memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s = NULL, *copy;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	copy = s ? arena_strdup(a, s) : NULL;
	free(s);
	return copy;
}

static void unmap_block(struct arena_block *b)
{
	if (__lsan_unregister_root_region)
		__lsan_unregister_root_region(b, b->mapped);
	munmap(b, b->mapped);
}

void arena_fini(struct arena *a)
{
	while (a->head) {
		struct arena_block *next = a->head->next;

		if (a->head->mapped)
			unmap_block(a->head);
		else
			free(a->head);
		a->head = next;
	}
}
