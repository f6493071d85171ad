#include "region.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "wstat_pack.h"

static size_t align_up(size_t v, size_t to)
{
	return (v + to - 1) / to * to;
}

static size_t slot_bytes(const struct plan_job *pj)
{
	return align_up(slot_ios_offset(&pj->layout) + align_up(pj->depth * sizeof(struct io), 64) +
				align_up(tracks_bytes(&pj->tracks, &pj->layout), 64) +
				align_up(log_ring_bytes(pj->logs ? pj->logs->entries : 0), 64) +
				per_file_bytes(&pj->per_file),
			SLOT_PAGE);
}

/* Counts the users of each file that its last user removes (unlink=1). */
static void count_users(struct region *r, const struct plan *p)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++)
			if (p->jobs[i].files[k].unlink)
				r->cells[p->jobs[i].files[k].cell].users++;
	}
}

static void plan_spares(struct region *r, const struct plan *p)
{
	size_t most = 0;

	for (uint32_t i = 0; i < p->njobs; i++) {
		size_t bytes = wstat_pack_size(&p->jobs[i].layout);

		most = bytes > most ? bytes : most;
	}
	r->copy_buffer_bytes = align_up(sizeof(struct copy_buffer) + most, 64);
	r->ncopy_buffers = p->njobs < COPY_BUFFERS ? p->njobs : COPY_BUFFERS;
}

int region_init(struct region *r, const struct plan *p, struct diag *d)
{
	size_t stages = p->nstages * sizeof(*r->stages);
	size_t cells = align_up(p->ncells * sizeof(*r->cells), 64);
	size_t files = align_up(p->ntargets * sizeof(*r->files), 64);
	size_t rates = p->nshares * 2 * sizeof(*r->rates);
	size_t walks = p->nshared_positions * sizeof(*r->shared_positions);
	size_t phases = align_up(p->njobs, 64);
	size_t at = 0, spares = align_up(stages + phases + cells + files + rates + walks + 64, SLOT_PAGE);
	size_t first;
	unsigned char *base;

	plan_spares(r, p);
	first = align_up(spares + r->ncopy_buffers * r->copy_buffer_bytes + SLOT_WORDS, SLOT_PAGE) -
		SLOT_WORDS;
	r->slot_offset = calloc(p->njobs + 1, sizeof(*r->slot_offset));
	if (!r->slot_offset)
		return diag_err(d, -ENOMEM, "out of memory for %u jobs", p->njobs);
	for (uint32_t i = 0; i < p->njobs; i++) {
		r->slot_offset[i] = at;
		at += slot_bytes(&p->jobs[i]);
	}
	r->bytes = first + at;
	base = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		    0);
	if (base == MAP_FAILED) {
		r->bytes = 0;
		return diag_kind(d, DIAG_RUN, -errno, "cannot map %zu KiB of shared memory for %u jobs: %s%s",
				 (first + at) >> 10, p->njobs, diag_errno(errno), diag_hint(errno));
	}
	r->stages = (struct region_stage *)(void *)base;
	r->copy_buffers = base + spares;
	r->slots = base + first;
	base += stages;
	r->phases = (_Atomic uint8_t *)(void *)base;
	base += phases;
	r->cells = (struct region_cell *)(void *)base;
	r->files = (struct region_file *)(void *)(base + cells);
	r->rates = (struct region_rate *)(void *)(base + cells + files);
	r->log_wake = (_Atomic uint32_t *)(void *)(base + cells + files + rates + walks);
	r->log_off = r->log_wake + 1;
	r->memory_barrier = r->log_wake + 2;
	r->notifications = (_Atomic uint64_t *)(void *)(r->log_wake + 4);
	r->wake_count = r->notifications + 1;
	r->shared_positions = (struct region_shared_position *)(void *)(base + cells + files + rates);
	count_users(r, p);
	r->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->event_fd < 0)
		return diag_kind(d, DIAG_RUN, -errno, "eventfd: %s%s", diag_errno(errno), diag_hint(errno));
	return 0;
}

void region_fini(struct region *r)
{
	if (r->bytes) {
		munmap(r->stages, r->bytes);
		if (r->event_fd >= 0)
			close(r->event_fd);
	}
	free(r->slot_offset);
	*r = (struct region){ 0 };
}

void region_notify(const struct region *r, uint64_t news)
{
	uint64_t told = atomic_fetch_add(r->notifications, news) + news, one = 1;

	if (told >= atomic_load(r->wake_count) && write(r->event_fd, &one, sizeof(one)) < 0)
		return; /* the event counter is full: the parent wakes up anyway */
}

void futex_wait_until(_Atomic uint32_t *word, uint32_t value, uint64_t until_ns)
{
	struct timespec ts, *deadline = NULL;

	while (atomic_load_explicit(word, memory_order_acquire) == value) {
		if (until_ns != UINT64_MAX) {
			uint64_t now = clock_ns(), at;

			if (now >= until_ns || clock_skip(until_ns))
				return;
			at = clock_raw_ns() + (until_ns - now);
			ts.tv_sec = (time_t)(at / 1000000000u);
			ts.tv_nsec = (long)(at % 1000000000u);
			deadline = &ts;
		}
		syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, deadline, NULL, FUTEX_BITSET_MATCH_ANY);
	}
}

void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}
