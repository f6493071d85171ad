/* page_fault: uses memory instead of files; each page that an I/O touches is a page fault. A trim frees
   pages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "engine_parts.h"

struct area {
	unsigned char *base;
	size_t bytes;
	uint64_t *touched; /* one bit for each page */
};

struct page_fault_state {
	size_t page;
	struct area *areas; /* by file */
	unsigned nareas;
};

static int map_area(struct area *a, size_t page, uint64_t bytes)
{
	uint64_t pages = (bytes + page - 1) / page;

	a->bytes = pages * page;
	a->touched = calloc(pages / 64 + 1, sizeof(*a->touched));
	if (!a->touched)
		return -ENOMEM;
	a->base = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);
	if (a->base == MAP_FAILED) {
		a->base = NULL;
		return -errno;
	}
	madvise(a->base, a->bytes, MADV_NOHUGEPAGE); /* one fault for each small page */
	return 0;
}

static void page_fault_fini(struct engine_ctx *ctx)
{
	struct page_fault_state *s = ctx->state;

	for (unsigned i = 0; i < s->nareas; i++) {
		if (s->areas[i].base)
			munmap(s->areas[i].base, s->areas[i].bytes);
		free(s->areas[i].touched);
	}
	free(s->areas);
}

static int page_fault_init(struct engine_ctx *ctx)
{
	struct page_fault_state *s = ctx->state;
	int ret = 0;

	s->page = (size_t)sysconf(_SC_PAGESIZE);
	s->areas = calloc(ctx->nfiles, sizeof(*s->areas));
	s->nareas = s->areas ? ctx->nfiles : 0;
	for (unsigned i = 0; i < s->nareas && !ret; i++)
		ret = map_area(&s->areas[i], s->page, ctx->files[i].start + ctx->files[i].len);
	if (!s->areas)
		ret = -ENOMEM;
	if (ret) {
		page_fault_fini(ctx);
		return diag_err(ctx->d, ret, "{ioengine=page_fault}: cannot map the memory: %s",
				diag_errno(ret));
	}
	snprintf(ctx->info, sizeof(ctx->info), "pages of %zu bytes", s->page);
	return 0;
}

static bool set_touched(struct area *a, size_t page)
{
	uint64_t bit = 1ull << page % 64, *word = &a->touched[page / 64];
	bool before = *word & bit;

	*word |= bit;
	return before;
}

/* Frees a page that an earlier pass touched, so that it faults again. */
static int touch(struct area *a, size_t page, size_t bytes, enum io_op op)
{
	volatile unsigned char *p = a->base + page * bytes;

	if ((set_touched(a, page) || op == IO_TRIM) && madvise((void *)(uintptr_t)p, bytes, MADV_DONTNEED))
		return -errno;
	if (op == IO_WRITE)
		*p = 1;
	else if (op == IO_READ)
		(void)*p;
	return 0;
}

static int64_t page_fault_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct page_fault_state *s = ctx->state;
	struct area *a = &s->areas[io->file->index];
	size_t last = (io->offset + io->len - 1) / s->page;
	int ret = 0;

	if (io->op > IO_TRIM)
		return 0;
	for (size_t page = io->offset / s->page; page <= last && !ret; page++)
		ret = touch(a, page, s->page, (enum io_op)io->op);
	return ret ? ret : (int64_t)io->len;
}

const struct engine engine_page_fault = {
	.name = "page_fault",
	.help = "uses no files; each page of memory that an I/O touches is a page fault",
	.caps = ENG_SYNC | ENG_NOFILE | ENG_VIRTUAL,
	.state_size = sizeof(struct page_fault_state),
	.init = page_fault_init,
	.do_one = page_fault_do_one,
	.fini = page_fault_fini,
};
