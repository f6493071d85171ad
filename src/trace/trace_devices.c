#include "trace_devices.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "trace.h"

static bool is_name(const char *name, const char *text, size_t len)
{
	return !strncmp(name, text, len) && !name[len];
}

static size_t hash(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3;
	return (size_t)(h ^ h >> 32);
}

/* Returns the slot that has the name, or the free one where it belongs. */
static size_t find_slot(const struct trace_devices *t, const char *text, size_t len)
{
	size_t i = hash(text, len) & (t->slots - 1);

	while (t->table[i] && !is_name(t->name[t->table[i] - 1], text, len))
		i = (i + 1) & (t->slots - 1);
	return i;
}

/* Makes room for twice as many names. */
static int grow(struct trace_devices *t)
{
	size_t slots = t->slots ? t->slots * 2 : 64;
	uint32_t *table = calloc(slots, sizeof(*table));
	const char **name = table ? realloc(t->name, slots / 2 * sizeof(*name)) : NULL;

	if (!name) {
		free(table);
		return -ENOMEM;
	}
	free(t->table);
	t->name = name;
	t->table = table;
	t->slots = slots;
	for (size_t i = 0; i < t->n; i++)
		table[find_slot(t, name[i], strlen(name[i]))] = (uint32_t)i + 1;
	return 0;
}

static int64_t add(struct trace_devices *t, const char *text, size_t len)
{
	char *name;

	if (t->n == TRACE_DEVICES_MAX)
		return -E2BIG;
	if (t->n == t->slots / 2 && grow(t))
		return -ENOMEM;
	name = arena_strndup(&t->names, text, len);
	if (!name)
		return -ENOMEM;
	t->name[t->n] = name;
	t->table[find_slot(t, text, len)] = (uint32_t)t->n + 1;
	return (int64_t)t->n++;
}

int64_t trace_devices_find(struct trace_devices *t, const char *name, size_t len)
{
	size_t slot;
	int64_t found;

	if (t->n && is_name(t->name[t->last], name, len))
		return t->last;
	slot = t->slots ? find_slot(t, name, len) : 0;
	found = t->slots && t->table[slot] ? (int64_t)t->table[slot] - 1 : add(t, name, len);
	if (found >= 0)
		t->last = (uint32_t)found;
	return found;
}

void trace_devices_fini(struct trace_devices *t)
{
	free(t->name);
	free(t->table);
	arena_fini(&t->names);
	*t = (struct trace_devices){ 0 };
}
