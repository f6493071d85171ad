#include "iobuf.h"

#include <errno.h>
#include <sys/mman.h>

#define PAGE_BYTES ((size_t)4096)

int iobuf_init(struct iobuf *b, unsigned count, size_t bytes)
{
	size_t stride, all;
	void *base;

	*b = (struct iobuf){ 0 };
	if (!count || !bytes)
		return 0;
	if (__builtin_add_overflow(bytes, PAGE_BYTES - 1, &stride))
		return -ENOMEM;
	stride &= ~(PAGE_BYTES - 1);
	if (__builtin_mul_overflow(stride, (size_t)count, &all))
		return -ENOMEM;
	/* Populated: the first I/O must not pay for page faults. */
	base = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (base == MAP_FAILED)
		return -ENOMEM;
	*b = (struct iobuf){ .base = base, .stride = stride, .bytes = all };
	return 0;
}

void iobuf_fill(struct iobuf *b, const struct buffer_cfg *c, struct rng *r)
{
	if (b->base)
		pattern_fill(c, r, b->base, b->bytes);
}

void iobuf_fini(struct iobuf *b)
{
	if (b->base)
		munmap(b->base, b->bytes);
	*b = (struct iobuf){ 0 };
}
