/* mmap: copies from and to the mapped file, one I/O at a time. Each file's whole range is mapped once if
   the address space allows it; otherwise a window moves along the file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "engine_parts.h"
#include "types.h"
#include "io.h"

enum flush { FLUSH_NONE, FLUSH_VIEW, FLUSH_NVM, FLUSH_NVM_NODRAIN };

struct mmap_opts {
	bool thp;
	enum flush flush;
};

/* The mapping of one file. */
struct map {
	unsigned char *base; /* NULL: not mapped */
	uint64_t off, len;
	uint64_t ready; /* bytes that need no look at the file first: len, or 0 */
	uint64_t next;  /* offset of the next sequential I/O */
	bool jumped;    /* the last I/O was not sequential */
	bool settled;   /* the advice suits I/Os like the last one */
	bool direct;    /* direct=1: each I/O is written back */
	int advice;     /* MADV_* */
	dev_t dev;      /* identity of the file if files are reopened */
	ino_t ino;
};

struct range {
	uint64_t lo, hi;
};

struct mmap_state {
	struct map *maps; /* by file->index */
	unsigned nmaps;
	uint64_t window; /* largest mapping, in bytes */
	uint64_t page;
	bool thp, dynamic;
	enum flush flush; /* flush after each write */
};

static void unmap(struct map *m)
{
	if (m->base)
		munmap(m->base, m->len);
	m->base = NULL;
	m->ready = 0;
}

/* Returns false if nothing was mapped. */
static bool unmap_all(struct mmap_state *s)
{
	bool any = false;

	for (unsigned i = 0; i < s->nmaps; i++) {
		any |= s->maps[i].base != NULL;
		unmap(&s->maps[i]);
	}
	return any;
}

static uint64_t page_start(const struct mmap_state *s, uint64_t at)
{
	return at & ~(s->page - 1);
}

/* Extends the file, which a mapping cannot do. It never shortens the file, even if another process extends
   it at the same time. */
static int extend_file(const struct file *f, uint64_t size)
{
	struct stat st;
	int ret;

	if (fstat(f->fd, &st))
		return -errno;
	if (!f->write || !S_ISREG(st.st_mode) || (uint64_t)st.st_size >= size)
		return 0;
	ret = fallocate(f->fd, 0, (off_t)size - 1, 1) ? -errno : 0;
	if (ret != -EOPNOTSUPP)
		return ret;
	ret = 0;
	if (flock(f->fd, LOCK_EX))
		return -errno;
	if (fstat(f->fd, &st) || ((uint64_t)st.st_size < size && ftruncate(f->fd, (off_t)size)))
		ret = -errno;
	flock(f->fd, LOCK_UN);
	return ret;
}

/* Returns the range to map for an I/O at [lo, hi): the file's range, or a window of it. */
static struct range range_to_map(const struct mmap_state *s, const struct file *f, struct range io)
{
	struct range r = { f->start < io.lo ? f->start : io.lo, f->start + f->len };

	if (r.hi < io.hi)
		r.hi = io.hi;
	r.lo = page_start(s, r.lo);
	if (r.hi - r.lo > s->window) {
		r.lo = page_start(s, io.lo);
		if (r.hi - r.lo > s->window)
			r.hi = r.lo + s->window > io.hi ? r.lo + s->window : io.hi;
	}
	return r;
}

static int map_range(struct map *m, const struct file *f, struct range r)
{
	int prot = f->write ? PROT_READ | PROT_WRITE : PROT_READ;
	void *base = mmap(NULL, r.hi - r.lo, prot, MAP_SHARED, f->fd, (off_t)r.lo);

	if (base == MAP_FAILED)
		return -errno;
	m->base = base;
	m->off = r.lo;
	m->len = r.hi - r.lo;
	m->advice = MADV_NORMAL;
	m->settled = false;
	return 0;
}

static bool is_direct(const struct file *f)
{
	return f->fd >= 0 && fcntl(f->fd, F_GETFL) & O_DIRECT;
}

static int record_identity(struct map *m, const struct file *f)
{
	struct stat st;

	if (fstat(f->fd, &st))
		return -errno;
	m->direct = is_direct(f);
	m->dev = st.st_dev;
	m->ino = st.st_ino;
	return 0;
}

/* Maps the bytes of the I/O and the range around them. If that fails, it first unmaps other files and then
   halves the window until it succeeds. */
static int map_file(struct mmap_state *s, const struct file *f, struct range io)
{
	struct map *m = &s->maps[f->index];
	struct range r;
	int ret = record_identity(m, f);

	unmap(m);
	while (!ret) {
		r = range_to_map(s, f, io);
		ret = extend_file(f, r.hi);
		ret = ret ? ret : map_range(m, f, r);
		if (ret != -ENOMEM)
			break;
		if (unmap_all(s))
			ret = 0;
		else if (r.lo < page_start(s, io.lo) || r.hi > io.hi) {
			s->window = page_start(s, (r.hi - r.lo) / 2);
			ret = 0;
		}
	}
	if (!ret && s->thp && madvise(m->base, m->len, MADV_HUGEPAGE))
		ret = -errno;
	if (!ret && !s->dynamic)
		m->ready = m->len;
	return ret;
}

/* Returns whether m belongs to the file that is open now; its name may refer to another one meanwhile. */
static bool is_current(const struct mmap_state *s, const struct map *m, const struct file *f)
{
	struct stat st;

	return !s->dynamic || (fstat(f->fd, &st) == 0 && st.st_dev == m->dev && st.st_ino == m->ino);
}

/* Sets the kernel's readahead for the mapping after two I/Os in a row that are sequential, or random. */
static __attribute__((noinline)) void change_advice(struct map *m, const struct io *io, bool jumps)
{
	bool fixed = io->file->advice != FADVICE_PATTERN;
	int advice = jumps ? MADV_RANDOM : MADV_SEQUENTIAL;

	if (fixed)
		advice = io->file->advice == FADVICE_RANDOM       ? MADV_RANDOM
			 : io->file->advice == FADVICE_SEQUENTIAL ? MADV_SEQUENTIAL
								  : MADV_NORMAL;
	m->settled = fixed || jumps == m->jumped;
	if (m->advice != advice && m->settled) {
		madvise(m->base, m->len, advice);
		m->advice = advice;
	}
	m->jumped = jumps;
}

static inline void advise(struct map *m, const struct io *io)
{
	bool jumps = io->offset != m->next;

	m->next = io->offset + io->len;
	if (__builtin_expect(jumps != m->jumped || !m->settled, 0))
		change_advice(m, io, jumps);
}

static __attribute__((noinline)) int map_io(struct mmap_state *s, const struct io *io)
{
	struct map *m = &s->maps[io->file->index];
	struct range r = { io->offset, io->offset + io->len };

	if (io->file->fd < 0)
		return -EBADF;
	if (r.hi > INT64_MAX || r.hi < r.lo)
		return -EINVAL;
	if (m->base && r.lo >= m->off && r.hi <= m->off + m->len && is_current(s, m, io->file))
		return 0;
	return map_file(s, io->file, r);
}

static bool copy(const struct io *io, unsigned char *mapped, size_t n)
{
	return io->op == IO_READ ? sigbus_copy(io->buf, mapped, mapped, n)
				 : sigbus_copy(mapped, io->buf, mapped, n);
}

/* Returns the res of an I/O that hit a missing page. A read ends at the present end of the file. */
static int64_t missing_page(const struct io *io, unsigned char *mapped)
{
	uint64_t size = UINT64_MAX;
	struct statvfs fs;
	struct stat st;

	if (fstat(io->file->fd, &st) == 0 && S_ISREG(st.st_mode))
		size = (uint64_t)st.st_size;
	if (io->op == IO_READ && size <= io->offset)
		return 0;
	if (io->op == IO_READ && size - io->offset < io->len && copy(io, mapped, size - io->offset))
		return (int64_t)(size - io->offset);
	if (io->op == IO_WRITE && size >= io->offset + io->len && !fstatvfs(io->file->fd, &fs) &&
	    fs.f_bavail == 0)
		return -ENOSPC;
	return -EIO;
}

#ifdef __x86_64__
#define CACHE_LINE 64

/* Flushes the CPU's caches. Data is in persistent memory once it has left them. */
static int flush_caches(const unsigned char *at, size_t bytes, bool drain)
{
	uintptr_t line = (uintptr_t)at & ~(uintptr_t)(CACHE_LINE - 1), end = (uintptr_t)at + bytes;

	for (; line < end; line += CACHE_LINE)
		__builtin_ia32_clflush((const void *)line);
	if (drain)
		__builtin_ia32_sfence();
	return 0;
}
#else
static int flush_caches(const unsigned char *at, size_t bytes, bool drain)
{
	(void)at;
	(void)bytes;
	(void)drain;
	return -EOPNOTSUPP; /* mmap_init refuses this case */
}
#endif

/* Writes the bytes of this I/O back, and no others. As in fio they stay in the page cache. */
static int write_back(const struct mmap_state *s, const struct io *io, unsigned char *mapped)
{
	size_t head = io->offset & (s->page - 1);

	return msync(mapped - head, head + io->len, MS_SYNC) ? -errno : 0;
}

static int flush_write(const struct mmap_state *s, const struct io *io, unsigned char *mapped)
{
	return s->flush == FLUSH_VIEW ? write_back(s, io, mapped)
				      : flush_caches(mapped, io->len, s->flush == FLUSH_NVM);
}

/* Returns whether the mapping has the bytes of the I/O. Most I/Os take this way. */
static inline bool is_ready(const struct map *m, const struct io *io)
{
	uint64_t at = io->offset - m->off; /* huge if the I/O begins before the mapping */

	return __builtin_expect(at < m->ready && io->len <= m->ready - at, 1);
}

/* Makes an I/O durable, as far as the job asks for that. */
static __attribute__((noinline)) int flush_io(const struct mmap_state *s, const struct io *io,
					      unsigned char *mapped)
{
	int ret = 0;

	if (s->flush != FLUSH_NONE && io->op == IO_WRITE)
		ret = flush_write(s, io, mapped);
	if (!ret && s->maps[io->file->index].direct)
		ret = write_back(s, io, mapped);
	return ret;
}

static int64_t transfer_mapped(struct mmap_state *s, const struct io *io)
{
	struct map *m = &s->maps[io->file->index];
	unsigned char *mapped;
	int ret = is_ready(m, io) ? 0 : map_io(s, io);

	if (ret)
		return ret;
	mapped = m->base + (io->offset - m->off);
	advise(m, io);
	if (!copy(io, mapped, io->len))
		return missing_page(io, mapped);
	if (__builtin_expect(s->flush != FLUSH_NONE || m->direct, 0))
		ret = flush_io(s, io, mapped);
	return ret ? ret : (int64_t)io->len;
}

/* Uses msync if one mapping covers the file's whole range. */
static int64_t flush_map(const struct mmap_state *s, struct io *io)
{
	const struct file *f = io->file;
	const struct map *m = &s->maps[f->index];

	if (!m->base || m->off > f->start || m->off + m->len < f->start + f->len || !is_current(s, m, f))
		return syscall_io(io);
	return msync(m->base, m->len, MS_SYNC) ? -errno : 0;
}

static int64_t mmap_do_one(struct engine_ctx *ctx, struct io *io)
{
	struct mmap_state *s = ctx->state;
	bool reads = io->op == IO_READ, writes = io->op == IO_WRITE && io->file->write;

	if ((reads || writes) && !io->rwf)
		return transfer_mapped(s, io);
	if (io->op == IO_FSYNC || io->op == IO_FDATASYNC)
		return flush_map(s, io);
	return syscall_io(io);
}

static void mmap_fini(struct engine_ctx *ctx)
{
	struct mmap_state *s = ctx->state;

	unmap_all(s);
	free(s->maps);
}

/* Maps all files before the clock starts; a failure shows later as an I/O error. */
static void map_all(struct engine_ctx *ctx, struct mmap_state *s)
{
	for (unsigned i = 0; i < ctx->nfiles && !ctx->files_dynamic; i++) {
		const struct file *f = &ctx->files[i];

		if (is_direct(f))
			snprintf(ctx->info, sizeof(ctx->info),
				 "{direct=1}: each I/O is written back; the data stay in the page cache");
		if (f->fd >= 0 && f->len && map_file(s, f, (struct range){ f->start, f->start + 1 }))
			break;
	}
}

static int check_thp(struct engine_ctx *ctx, const struct mmap_state *s)
{
	void *p = mmap(NULL, s->page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret = p == MAP_FAILED || madvise(p, s->page, MADV_HUGEPAGE) ? -errno : 0;

	if (p != MAP_FAILED)
		munmap(p, s->page);
	if (ret == -EINVAL)
		return diag_err(ctx->d, -EOPNOTSUPP, "{thp=1}: this kernel has no transparent huge pages");
	return ret ? diag_err(ctx->d, ret, "{thp=1}: madvise: %s", diag_errno(ret)) : 0;
}

static int check_flush(struct engine_ctx *ctx, const struct mmap_state *s)
{
	unsigned char byte = 0;

	if (s->flush != FLUSH_NVM && s->flush != FLUSH_NVM_NODRAIN)
		return 0;
	if (flush_caches(&byte, 1, true))
		return diag_err(ctx->d, -EOPNOTSUPP,
				"{mmap_flush}: cache flushing is not implemented for this CPU; use "
				"{mmap_flush=view}");
	return 0;
}

static int mmap_init(struct engine_ctx *ctx)
{
	const struct mmap_opts *o = ctx->opts;
	struct mmap_state *s = ctx->state;
	int ret = sigbus_init();

	if (ret)
		return diag_err(ctx->d, ret, "{ioengine=mmap}: sigaction: %s", diag_errno(ret));
	s->page = (uint64_t)sysconf(_SC_PAGESIZE);
	s->window = UINT64_MAX;
	s->dynamic = ctx->files_dynamic;
	s->thp = o && o->thp;
	s->flush = o ? o->flush : FLUSH_NONE;
	s->nmaps = ctx->nfiles;
	ret = s->thp ? check_thp(ctx, s) : 0;
	ret = ret ? ret : check_flush(ctx, s);
	if (ret)
		return ret;
	s->maps = calloc(s->nmaps ? s->nmaps : 1, sizeof(*s->maps));
	if (!s->maps)
		return diag_err(ctx->d, -ENOMEM, "{ioengine=mmap}: out of memory");
	map_all(ctx, s);
	return 0;
}

/* clang-format off */
#define OPT_STRUCT struct mmap_opts
static const struct opt_row mmap_rows[] = {
	{ .name = "thp", OPT_BOOL(thp), .group = "mmap", .help = "Ask for huge pages for the mapping" },
	{ .name = "mmap_flush", OPT_ENUM(flush,
		{ "none", FLUSH_NONE, "No flush" },
		{ "view", FLUSH_VIEW, "msync of the written range" },
		{ "nvm", FLUSH_NVM, "Flush the CPU's caches and wait for that, which is enough for "
		  "persistent memory (DAX)" },
		{ "nvm_nodrain", FLUSH_NVM_NODRAIN, "Flush the CPU's caches without waiting" }), .def = "none", .group = "mmap",
	  .help = "How each write is flushed to the device (diskspd -N)" },
	{ .name = NULL },
};
/* clang-format on */
static const struct opt_table mmap_table = { mmap_rows, sizeof(struct mmap_opts) };

const struct engine engine_mmap = {
	.name = "mmap",
	.help = "copies memory from and to the mapped file, one I/O at a time",
	.caps = ENG_SYNC | ENG_MAPPED,
	.state_size = sizeof(struct mmap_state),
	.opts = &mmap_table,
	.opts_size = sizeof(struct mmap_opts),
	.init = mmap_init,
	.do_one = mmap_do_one,
	.fini = mmap_fini,
};
