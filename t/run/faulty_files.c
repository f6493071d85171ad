#include "faulty_files.h"

#include <stdlib.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct file files[FILES];
FILE *log_file;

void record(const char *kind, const struct file *f, long offset, long bytes, long arg)
{
	fprintf(log_file, "%s %s %ld %ld %ld\n", kind, f->name, offset, bytes, arg);
}

struct extent *extent_new(const unsigned char *data, long offset, long bytes)
{
	struct extent *e = malloc(sizeof(*e) + (size_t)bytes);

	if (!e)
		abort();
	e->next = NULL;
	e->offset = offset;
	e->bytes = bytes;
	memcpy(e->data, data, (size_t)bytes);
	return e;
}

void grow(struct file *f, long size)
{
	if (f->size < size)
		f->size = size;
}

/* A write replaces stale content wholly. */
void forget_stale(struct file *f, long offset, long bytes)
{
	struct extent **at = &f->stale;

	while (*at) {
		struct extent *e = *at;

		if (e->offset >= offset + bytes || e->offset + e->bytes <= offset) {
			at = &e->next;
			continue;
		}
		*at = e->next;
		free(e);
	}
}

void store(struct file *f, const unsigned char *data, long offset, long bytes)
{
	if (bytes > FILE_MAX - offset)
		bytes = FILE_MAX - offset;
	if (bytes <= 0)
		return;
	forget_stale(f, offset, bytes);
	memcpy(f->data + offset, data, (size_t)bytes);
	*f->last = extent_new(data, offset, bytes);
	f->last = &(*f->last)->next;
	grow(f, offset + bytes);
}

void forget_unsynced(struct file *f)
{
	for (struct extent *e = f->unsynced, *next; e; e = next) {
		next = e->next;
		free(e);
	}
	f->unsynced = NULL;
	f->last = &f->unsynced;
}

void sync_file(struct file *f)
{
	for (const struct extent *e = f->unsynced; e; e = e->next)
		memcpy(f->durable + e->offset, e->data, (size_t)e->bytes);
	forget_unsynced(f);
}

void zero(struct file *f, long offset, long bytes)
{
	if (bytes <= 0)
		return;
	memset(f->data + offset, 0, (size_t)bytes);
	memset(f->durable + offset, 0, (size_t)bytes);
	for (struct extent *e = f->unsynced; e; e = e->next)
		for (long i = 0; i < e->bytes; i++)
			if (e->offset + i >= offset && e->offset + i < offset + bytes)
				e->data[i] = 0;
	forget_stale(f, offset, bytes);
}
