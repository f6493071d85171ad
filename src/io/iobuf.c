#include "iobuf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>
#include "sysfs.h"

#define PAGE_BYTES  ((size_t)4096)
#define SMALL_BYTES ((size_t)64 << 10)
#define LARGE_BYTES ((size_t)2 << 20) /* a huge page of most machines */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/* ---- sizes ---- */

static bool round_up(size_t v, size_t to, size_t *out)
{
	if (__builtin_add_overflow(v, to - 1, &v))
		return false;
	*out = v & ~(to - 1);
	return true;
}

/* Computes the sizes: count buffers of stride bytes, room to align the first one, in whole pages. */
static bool compute_sizes(struct iobuf *b, const struct mem_cfg *c, unsigned count, size_t bytes)
{
	size_t align = c->align ? c->align : PAGE_BYTES, all;

	if (!round_up(bytes, align, &b->stride) ||
	    __builtin_mul_overflow(b->stride, (size_t)count, &b->bytes))
		return false;
	if (__builtin_add_overflow(b->bytes, align > PAGE_BYTES ? align : 0, &all))
		return false;
	return round_up(all, mem_kind_huge(c->source.kind) && c->hugepage ? c->hugepage : PAGE_BYTES,
			&b->map_bytes);
}

/* ---- errors ---- */

static int no_hugepages(const struct iobuf *b, const struct mem_cfg *c, int err, struct diag *d)
{
	uint64_t kb = c->hugepage >> 10, nfree = 0, total = 0;

	if (err == EPERM)
		return diag_kind(d, DIAG_RUN, -err,
				 "{mem=%s}: %s; this needs CAP_IPC_LOCK, or a group of this process in "
				 "vm.hugetlb_shm_group",
				 mem_kind_name(b->kind), diag_errno(err));

	(void)sysfs_u64(&nfree, "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/free_hugepages", kb);
	(void)sysfs_u64(&total, "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages", kb);
	return diag_kind(d, DIAG_RUN, -err,
			 "{mem=%s}: %zu MiB need %zu huge pages of %" PRIu64 " KiB; of %" PRIu64
			 " pages %" PRIu64 " are free (/sys/kernel/mm/hugepages/hugepages-%" PRIu64
			 "kB/nr_hugepages): %s",
			 mem_kind_name(b->kind), b->map_bytes >> 20, (size_t)(b->map_bytes / c->hugepage), kb,
			 total, nfree, kb, diag_errno(err));
}

static int no_buffer_memory(const struct iobuf *b, const struct mem_cfg *c, int err, struct diag *d)
{
	const char *hint = "";

	if (mem_kind_huge(b->kind) && c->hugepage && !c->source.file)
		return no_hugepages(b, c, err, d);
	if (err == ENOSPC)
		hint = "; more segments or bytes than kernel.shmmni or shmall allow";
	else if (err == EINVAL && b->kind == MEM_SHM)
		hint = "; larger than kernel.shmmax";
	else if (err == ENOMEM)
		hint = "; memory, or the address space (ulimit -v), is used up";
	return diag_kind(d, DIAG_RUN, -err, "{mem=%s}: cannot allocate %zu KiB for buffers: %s%s",
			 mem_kind_name(b->kind), b->map_bytes >> 10, diag_errno(err), hint);
}

/* ---- kinds ---- */

static int huge_flags(uint64_t hugepage)
{
	return hugepage ? __builtin_ctzll(hugepage) << MAP_HUGE_SHIFT : 0;
}

/* Attaches System V memory and marks it for removal at once, so that the kernel frees it with its last
   user. */
static int map_shm(struct iobuf *b, const struct mem_cfg *c)
{
	int flags = b->kind == MEM_SHMHUGE ? SHM_HUGETLB | huge_flags(c->hugepage) : 0;
	int id = shmget(IPC_PRIVATE, b->map_bytes, IPC_CREAT | 0600 | flags), err;

	if (id < 0)
		return -errno;
	b->map = shmat(id, NULL, 0);
	err = errno;
	shmctl(id, IPC_RMID, NULL);
	if (b->map != (void *)-1)
		return 0;
	b->map = NULL;
	return -err;
}

static int map_pages(struct iobuf *b, const struct mem_cfg *c, int fd)
{
	int flags = (c->unused ? 0 : MAP_POPULATE) | (b->kind == MEM_MMAPSHARED ? MAP_SHARED : MAP_PRIVATE);

	if (fd < 0)
		flags |= MAP_ANONYMOUS;
	if (fd < 0 && b->kind == MEM_MMAPHUGE)
		flags |= MAP_HUGETLB | huge_flags(c->hugepage);
	b->map = mmap(NULL, b->map_bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (b->map != MAP_FAILED)
		return 0;
	b->map = NULL;
	return -errno;
}

/* Cuts the mapping to whole huge pages. */
static void trim(unsigned char *all, size_t all_bytes, unsigned char *from, size_t bytes)
{
	size_t head = (size_t)(from - all), tail = all_bytes - head - bytes;

	if (head)
		munmap(all, head);
	if (tail)
		munmap(from + bytes, tail);
}

/* Maps large buffers, with transparent huge pages where the system allows it. The kernel then handles one
   page where it would handle 512. */
static int map_large(struct iobuf *b)
{
	size_t all = b->map_bytes + LARGE_BYTES;
	unsigned char *map = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char *from;

	if (map == MAP_FAILED)
		return -errno;
	from = (unsigned char *)(((uintptr_t)map + LARGE_BYTES - 1) & ~(uintptr_t)(LARGE_BYTES - 1));
	trim(map, all, from, b->map_bytes);
	b->map = from;
	madvise(from, b->map_bytes, MADV_HUGEPAGE);
	if (madvise(from, b->map_bytes, MADV_POPULATE_WRITE))
		memset(from, 0, b->map_bytes);
	return 0;
}

/* Allocates small buffers with malloc, because mapping memory would be the largest cost of starting thousands
   of workers. */
static int alloc_small(struct iobuf *b, const struct mem_cfg *c)
{
	static _Alignas(PAGE_BYTES) unsigned char shared[SMALL_BYTES];

	b->map = c->unused ? shared : aligned_alloc(PAGE_BYTES, b->map_bytes);
	if (!b->map)
		return -ENOMEM;
	b->heap = !c->unused;
	b->shared = c->unused;
	if (b->heap)
		memset(b->map, 0, b->map_bytes); /* the first I/O must not pay for page faults */
	return 0;
}

static int alloc_memory(struct iobuf *b, const struct mem_cfg *c, int fd)
{
	if (b->kind == MEM_MALLOC && b->map_bytes <= SMALL_BYTES)
		return alloc_small(b, c);
	if (b->kind == MEM_SHM || b->kind == MEM_SHMHUGE)
		return map_shm(b, c);
	if (b->kind == MEM_MALLOC && b->map_bytes >= LARGE_BYTES && !c->unused)
		return map_large(b);
	return map_pages(b, c, fd);
}

static int alloc_buffers(struct iobuf *b, const struct mem_cfg *c, const struct target_allow *allow,
			 struct diag *d)
{
	int fd = -1, ret;

	if (c->source.file) {
		fd = memfile_open(c, allow, b->map_bytes, d);
		if (fd < 0)
			return fd;
	}
	ret = alloc_memory(b, c, fd);
	if (fd >= 0)
		close(fd);
	if (ret && c->source.file)
		return diag_kind(d, DIAG_RUN, ret, "{mem=%s}:%s: cannot map %zu KiB for buffers: %s",
				 mem_kind_name(b->kind), c->source.file, b->map_bytes >> 10, diag_errno(ret));
	return ret ? no_buffer_memory(b, c, -ret, d) : 0;
}

int iobuf_init(struct iobuf *b, const struct mem_cfg *c, const struct target_allow *allow, unsigned count,
	       size_t bytes, struct diag *d)
{
	size_t align = c->align ? c->align : PAGE_BYTES;
	int ret;

	*b = (struct iobuf){ .kind = c->source.kind };
	if (!count || !bytes)
		return 0;
	if (!compute_sizes(b, c, count, bytes)) {
		*b = (struct iobuf){ 0 };
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for %u buffers of %zu bytes", count,
				 bytes);
	}
	ret = alloc_buffers(b, c, allow, d);
	if (ret) {
		*b = (struct iobuf){ 0 };
		return ret;
	}
	b->base = (unsigned char *)(((uintptr_t)b->map + align - 1) & ~(uintptr_t)(align - 1));
	/* Shared memory is not populated for writing; writing it here keeps page faults out of the first
	   I/O. */
	if (b->kind == MEM_SHM || b->kind == MEM_SHMHUGE || (b->kind == MEM_MMAPSHARED && !c->source.file))
		memset(b->base, 0, b->bytes);
	return 0;
}

void iobuf_fill(struct iobuf *b, struct content *c)
{
	for (size_t at = 0; at < b->bytes; at += b->stride)
		content_init_buffer(c, b->base + at, b->stride);
}

void iobuf_fini(struct iobuf *b)
{
	if (b->map && (b->kind == MEM_SHM || b->kind == MEM_SHMHUGE))
		shmdt(b->map);
	else if (b->heap)
		free(b->map);
	else if (b->map && !b->shared)
		munmap(b->map, b->map_bytes);
	*b = (struct iobuf){ 0 };
}

const char *mem_kind_name(enum mem_kind kind)
{
	static const char *const names[] = { "malloc", "shm", "shmhuge", "mmap", "mmaphuge", "mmapshared" };

	return names[kind];
}
