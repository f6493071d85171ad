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
#include "region_flow.h"
#include "live_request.h"
#include "zone_table.h"

static size_t align_up(size_t v, size_t to)
{
	return (v + to - 1) / to * to;
}

static size_t part_bytes(const struct plan_job *pj, enum slot_part part)
{
	switch (part) {
	case SLOT_TRACKS:
		return tracks_bytes(&pj->tracks, &pj->layout);
	case SLOT_LOG:
		return log_ring_bytes(pj->logs ? pj->logs->entries : 0);
	case SLOT_IOLOG:
		return log_ring_bytes(pj->logs ? pj->logs->iolog_entries : 0);
	case SLOT_PER_FILE:
		return per_file_bytes(&pj->per_file);
	case SLOT_STEPS:
		return step_counts_bytes(&pj->step_counts);
	case SLOT_FILE_STATS:
		return file_stats_bytes(&pj->file_stats);
	case SLOT_VERIFY:
		return plan_verifies(pj) ? sizeof(struct region_verify) : 0;
	case SLOT_SEARCH:
		return pj->job->opts.time.search ? sizeof(struct depth_search) : 0;
	case SLOT_PLACEMENT:
		return pj->placement ? (pj->placement->n + 1) * sizeof(struct region_placement) : 0;
	case SLOT_PARTS:
		break;
	}
	return 0;
}

size_t slot_part_offset(const struct plan_job *pj, enum slot_part part)
{
	size_t at = slot_ios_offset(&pj->layout) + align_up(pj->depth * sizeof(struct io), 64);

	for (enum slot_part i = 0; i < part; i++)
		at += align_up(part_bytes(pj, i), 64);
	return part == SLOT_PARTS ? align_up(at, SLOT_PAGE) : at;
}

/* Counts the users of each file that its last user removes (unlink=1). */
static void count_users(struct region *r, const struct plan *p)
{
	for (uint32_t i = 0; i < p->njobs; i++) {
		for (uint32_t k = 0; k < p->jobs[i].nfiles; k++)
			if (p->jobs[i].files[k].unlink)
				r->layouts[p->jobs[i].files[k].layout_index].users++;
	}
}

static void size_copy_buffers(struct region *r, const struct plan *p)
{
	size_t max = 0;

	for (uint32_t i = 0; i < p->njobs; i++) {
		size_t bytes = wstat_pack_size(&p->jobs[i].layout);

		max = bytes > max ? bytes : max;
	}
	r->copy_buffer_bytes = align_up(sizeof(struct copy_buffer) + max, 64);
	r->ncopy_buffers = p->njobs < COPY_BUFFERS ? p->njobs : COPY_BUFFERS;
}

/* The offsets at which the parts of the mapping begin, in bytes. */
struct offsets {
	size_t stages, phases, layouts, files, rates, shared_positions, flows, zones, words, copy_buffers,
		slots;
};

/* Returns where the next part of this size begins, on a cache line. */
static size_t reserve_part(size_t *end, size_t bytes)
{
	size_t start = *end;

	*end += align_up(bytes, 64);
	return start;
}

/* Sets zone_offset. Returns the size of all tables of zones together. */
static size_t place_zones(const struct region *r, const struct plan *p)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < p->nzone_tables; i++) {
		r->zone_offset[i] = bytes;
		bytes += align_up(zone_table_bytes(p->zone_tables[i].zones), 64);
	}
	return bytes;
}

static void init_zones(const struct region *r, const struct plan *p)
{
	for (uint32_t i = 0; i < p->nzone_tables; i++) {
		const struct plan_zone_table *t = &p->zone_tables[i];

		zone_table_init(region_zone_table(r, i + 1), t->zones, t->size, t->capacity, t->device);
	}
}

static struct offsets place_parts(const struct region *r, const struct plan *p)
{
	struct offsets o;
	size_t end = 0;

	o.stages = reserve_part(&end, p->nstages * sizeof(*r->stages));
	o.phases = reserve_part(&end, p->njobs);
	o.layouts = reserve_part(&end, p->nlayouts * sizeof(*r->layouts));
	o.files = reserve_part(&end, p->ntargets * sizeof(*r->files));
	o.rates = reserve_part(&end, p->nshares * 2 * sizeof(*r->rates));
	o.shared_positions = reserve_part(&end, p->nshared_positions * sizeof(*r->shared_positions));
	o.flows = reserve_part(&end, p->nflows * sizeof(*r->flows));
	o.zones = reserve_part(&end, place_zones(r, p));
	o.words = reserve_part(&end, 64);
	o.copy_buffers = align_up(end, SLOT_PAGE);
	end = o.copy_buffers + r->ncopy_buffers * r->copy_buffer_bytes + SLOT_WORDS;
	o.slots = align_up(end, SLOT_PAGE) - SLOT_WORDS;
	return o;
}

/* Sets slot_offset, which stays NULL if memory is short. Returns the size of all slots together. */
static size_t place_slots(struct region *r, const struct plan *p)
{
	size_t bytes = 0;

	r->slot_offset = calloc(p->njobs + 1, sizeof(*r->slot_offset));
	for (uint32_t i = 0; r->slot_offset && i < p->njobs; i++) {
		r->slot_offset[i] = bytes;
		bytes += slot_part_offset(&p->jobs[i], SLOT_PARTS);
	}
	return bytes;
}

static void set_pointers(struct region *r, unsigned char *base, const struct offsets *o)
{
	r->stages = (struct region_stage *)(void *)(base + o->stages);
	r->phases = (_Atomic uint8_t *)(void *)(base + o->phases);
	r->layouts = (struct region_layout *)(void *)(base + o->layouts);
	r->files = (struct region_file *)(void *)(base + o->files);
	r->rates = (struct region_rate *)(void *)(base + o->rates);
	r->shared_positions = (struct region_shared_position *)(void *)(base + o->shared_positions);
	r->flows = (struct region_flow *)(void *)(base + o->flows);
	r->zones = base + o->zones;
	r->log_wake = (_Atomic uint32_t *)(void *)(base + o->words);
	r->log_off = r->log_wake + 1;
	r->memory_barrier = r->log_wake + 2;
	r->notifications = (_Atomic uint64_t *)(void *)(r->log_wake + 4);
	r->wake_count = r->notifications + 1;
	r->grid_ns = r->notifications + 2;
	r->copy_buffers = base + o->copy_buffers;
	r->slots = base + o->slots;
}

int region_init(struct region *r, const struct plan *p, struct diag *d)
{
	size_t slots = place_slots(r, p);
	struct offsets o;
	unsigned char *base;

	r->zone_offset = calloc(p->nzone_tables + 1, sizeof(*r->zone_offset));
	if (!r->slot_offset || !r->zone_offset)
		return diag_err(d, -ENOMEM, "out of memory for %u jobs", p->njobs);
	size_copy_buffers(r, p);
	o = place_parts(r, p);
	base = mmap(NULL, o.slots + slots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
		    -1, 0);
	if (base == MAP_FAILED)
		return diag_kind(d, DIAG_RUN, -errno, "cannot map %zu KiB of shared memory for %u jobs: %s%s",
				 (o.slots + slots) >> 10, p->njobs, diag_errno(errno), diag_hint(errno));
	r->bytes = o.slots + slots;
	set_pointers(r, base, &o);
	count_users(r, p);
	region_flow_init(r, p);
	init_zones(r, p);
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
	free(r->zone_offset);
	*r = (struct region){ 0 };
}

void region_notify(const struct region *r, uint64_t weight)
{
	uint64_t count = atomic_fetch_add(r->notifications, weight) + weight, one = 1;

	if (count >= atomic_load(r->wake_count) && write(r->event_fd, &one, sizeof(one)) < 0)
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
