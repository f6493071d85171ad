/* split_none.c: split.h in builds without libbpf, or without clang to compile the BPF programs. */
#include <errno.h>
#include <stdio.h>
#include "split.h"

struct split *split_start(const struct split_cfg *cfg, char *why, size_t size)
{
	(void)cfg;
	snprintf(why, size, "this fiord was built without BPF (libbpf and clang)");
	return NULL;
}

int split_add_worker(struct split *s, const struct split_worker *w)
{
	(void)s;
	(void)w;
	return -ENOTSUP;
}

int split_begin(struct split *s)
{
	(void)s;
	return -ENOTSUP;
}

uint64_t split_due_ns(const struct split *s)
{
	(void)s;
	return 0;
}

void split_tick(struct split *s)
{
	(void)s;
}

void split_stop(struct split *s)
{
	(void)s;
}

void split_read_device(const struct split *s, void *arg,
		       void (*f)(void *arg, uint32_t row, const struct split_key *key,
				 const struct split_times *times))
{
	(void)s;
	(void)arg;
	(void)f;
}

void split_read(struct split *s, const struct split_reader *r, struct split_missing *missing)
{
	(void)s;
	(void)r;
	*missing = (struct split_missing){ 0 };
}

uint64_t split_cost_ns(const struct split *s)
{
	(void)s;
	return 0;
}

void split_free(struct split *s)
{
	(void)s;
}
