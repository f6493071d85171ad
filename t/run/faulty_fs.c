/* faulty_fs.c: a file system in memory that damages writes on request and says in a log what it did.
   t/run/verify_faults.sh compares what fiord's verification finds with this log.

   faulty_fs LOG MOUNTPOINT

   The file system has one directory. Writing a line to its file .faults asks for a fault:

   - "KIND N[+S] [ARG]" harms the Nth write from now on, and with +S each Sth write after it.
   - "power_loss SEED [PERCENT]" loses what was not synced; of each unsynced write PERCENT (default 50) of the
     sectors survive, drawn from SEED.
   - "none" cancels the faults that were asked for.

   KIND is a row of the table `kinds`. A line of the log is "KIND FILE OFFSET BYTES ARG" with the place of the
   write, for misdirected writes a second line "stored FILE OFFSET BYTES 0" with the place of its data, and
   for a power loss "lost FILE OFFSET BYTES WRITE" for each run of lost sectors. Sizes of files survive a
   power loss. */
#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define CONTROL   ".faults"
#define FILE_MAX  (256l << 20)
#define NAME_SIZE 128
#define SECTOR    512
#define BITS      8
#define MS        1000000l
#define COUNT(a)  (sizeof(a) / sizeof((a)[0]))

/* Bytes at a place of a file: an unsynced write, or the content that stale reads return. */
struct extent {
	struct extent *next;
	long offset, bytes;
	unsigned char data[];
};

struct file {
	char name[NAME_SIZE]; /* empty: deleted */
	long size;
	unsigned opens;
	unsigned char *data, *durable;   /* what reads see; what a power loss leaves */
	struct extent *unsynced, **last; /* in the order of the writes */
	struct extent *stale;
};

struct write {
	struct file *file;
	const unsigned char *data;
	long offset, bytes;
	long arg; /* -1: not given */
};

/* Stores a write with its damage. Returns the bytes to acknowledge or -errno. */
typedef long damage_fn(struct write *w);

struct rule {
	const struct kind *kind;
	uint64_t first, step;
	long arg;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[256], control;
static struct rule rules[16];
static unsigned nrules;
static uint64_t nwrites;
static FILE *log_file;

static void record(const char *kind, const struct file *f, long offset, long bytes, long arg)
{
	fprintf(log_file, "%s %s %ld %ld %ld\n", kind, f->name, offset, bytes, arg);
}

/* ---- content ---- */

static struct extent *extent_new(const unsigned char *data, long offset, long bytes)
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

static void grow(struct file *f, long size)
{
	if (f->size < size)
		f->size = size;
}

/* A write replaces stale content wholly. */
static void forget_stale(struct file *f, long offset, long bytes)
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

static void store(struct file *f, const unsigned char *data, long offset, long bytes)
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

static void forget_unsynced(struct file *f)
{
	for (struct extent *e = f->unsynced, *next; e; e = next) {
		next = e->next;
		free(e);
	}
	f->unsynced = NULL;
	f->last = &f->unsynced;
}

static void sync_file(struct file *f)
{
	for (const struct extent *e = f->unsynced; e; e = e->next)
		memcpy(f->durable + e->offset, e->data, (size_t)e->bytes);
	forget_unsynced(f);
}

static void zero(struct file *f, long offset, long bytes)
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

/* ---- kinds of damage ---- */

static long arg_or(const struct write *w, long value)
{
	return w->arg < 0 ? value : w->arg;
}

static long drop(struct write *w)
{
	grow(w->file, w->offset + w->bytes);
	return w->bytes;
}

/* Stores the first bytes alone. */
static long tear(struct write *w)
{
	long bytes = arg_or(w, w->bytes / 2);

	grow(w->file, w->offset + w->bytes);
	store(w->file, w->data, w->offset, bytes < w->bytes ? bytes : w->bytes);
	return w->bytes;
}

static long misdirect(struct write *w)
{
	long offset = w->offset + arg_or(w, w->bytes);

	grow(w->file, w->offset + w->bytes);
	store(w->file, w->data, offset, w->bytes);
	record("stored", w->file, offset, w->bytes, 0);
	return w->bytes;
}

static long misfile(struct write *w)
{
	for (unsigned i = 0; i < COUNT(files); i++) {
		struct file *f = &files[i];

		if (f == w->file || !f->name[0] || f->name[0] == '.')
			continue;
		store(f, w->data, w->offset, w->bytes);
		record("stored", f, w->offset, w->bytes, 0);
		break;
	}
	return drop(w);
}

static long stale(struct write *w)
{
	struct extent *e = extent_new(w->file->data + w->offset, w->offset, w->bytes);

	store(w->file, w->data, w->offset, w->bytes);
	e->next = w->file->stale;
	w->file->stale = e;
	return w->bytes;
}

/* Stores the write further on; the bytes that would leave its place are lost. */
static long shift(struct write *w)
{
	long by = arg_or(w, SECTOR);

	grow(w->file, w->offset + w->bytes);
	store(w->file, w->data, w->offset + by, w->bytes - by);
	return w->bytes;
}

static long store_zeroes(struct write *w)
{
	unsigned char *zeroes = calloc(1, (size_t)w->bytes);

	if (!zeroes)
		abort();
	store(w->file, zeroes, w->offset, w->bytes);
	free(zeroes);
	return w->bytes;
}

static long flip(struct write *w)
{
	long bit = arg_or(w, w->bytes / 2 * BITS + 3) % (w->bytes * BITS);
	unsigned char *data = malloc((size_t)w->bytes);

	if (!data)
		abort();
	memcpy(data, w->data, (size_t)w->bytes);
	data[bit / BITS] = (unsigned char)(data[bit / BITS] ^ 1u << bit % BITS);
	store(w->file, data, w->offset, w->bytes);
	free(data);
	return w->bytes;
}

/* Stores and acknowledges the first bytes. */
static long cut_short(struct write *w)
{
	long bytes = arg_or(w, w->bytes / 2 / SECTOR * SECTOR);

	if (bytes > w->bytes)
		bytes = w->bytes;
	store(w->file, w->data, w->offset, bytes);
	return bytes;
}

/* Fails after the first bytes were stored, by default none. */
static long fail(struct write *w)
{
	long bytes = arg_or(w, 0);

	store(w->file, w->data, w->offset, bytes < w->bytes ? bytes : w->bytes);
	return -EIO;
}

/* Later writes overtake this one. */
static long delay(struct write *w)
{
	long ms = arg_or(w, 20);
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * MS };

	pthread_mutex_unlock(&lock);
	nanosleep(&ts, NULL);
	pthread_mutex_lock(&lock);
	store(w->file, w->data, w->offset, w->bytes);
	return w->bytes;
}

static const struct kind {
	const char *name; /* ARG: */
	damage_fn *apply;
} kinds[] = {
	{ "drop", drop },           /* acknowledged, not stored */
	{ "tear", tear },           /* bytes that are stored, default half */
	{ "misdirect", misdirect }, /* bytes by which it misses its place, default its length */
	{ "misfile", misfile },     /* stored in another file */
	{ "stale", stale },         /* reads return what was there before, until the next write */
	{ "shift", shift },         /* bytes, default 512 */
	{ "zero", store_zeroes },   { "flip", flip }, /* number of the bit, default one in the middle */
	{ "short", cut_short }, /* bytes that are stored and acknowledged, default half */
	{ "fail", fail },       /* EIO; bytes that are stored nevertheless, default 0 */
	{ "delay", delay },     /* milliseconds, default 20 */
};

/* ---- requests ---- */

static unsigned percent_of(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((*seed >> 33) % 100);
}

/* Writes the surviving sectors of an unsynced write to the durable content and records the others. */
static void keep_sectors(struct file *f, const struct extent *e, long number, unsigned percent,
			 uint64_t *seed)
{
	long lost = 0, at = e->offset, end = e->offset + e->bytes, next;

	for (; at < end; at = next) {
		next = (at / SECTOR + 1) * SECTOR;
		if (next > end)
			next = end;
		if (percent_of(seed) >= percent) {
			lost += next - at;
			continue;
		}
		memcpy(f->durable + at, e->data + (at - e->offset), (size_t)(next - at));
		if (lost)
			record("lost", f, at - lost, lost, number);
		lost = 0;
	}
	if (lost)
		record("lost", f, end - lost, lost, number);
}

static void lose_power(uint64_t seed, unsigned percent)
{
	for (unsigned i = 0; i < COUNT(files); i++) {
		struct file *f = &files[i];
		long number = 0;

		if (!f->name[0])
			continue;
		for (const struct extent *e = f->unsynced; e; e = e->next)
			keep_sectors(f, e, number++, percent, &seed);
		memcpy(f->data, f->durable, (size_t)f->size);
		forget_unsynced(f);
		forget_stale(f, 0, FILE_MAX);
	}
}

static int add_rule(const char *name, const char *when, long arg)
{
	unsigned long long first, step = 0;
	struct rule *r = &rules[nrules];

	if (nrules == COUNT(rules) || sscanf(when, "%llu+%llu", &first, &step) < 1 || !first)
		return -EINVAL;
	for (unsigned i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, name)) {
			*r = (struct rule){ &kinds[i], nwrites + first, step, arg };
			nrules++;
			return 0;
		}
	return -EINVAL;
}

static int request(const char *text, size_t size)
{
	char line[128], name[16], when[32] = "";
	long arg = -1;

	if (size >= sizeof(line))
		return -EINVAL;
	memcpy(line, text, size);
	line[size] = '\0';
	if (sscanf(line, "%15s %31s %ld", name, when, &arg) < 1)
		return -EINVAL;
	if (!strcmp(name, "none"))
		nrules = 0;
	else if (!strcmp(name, "power_loss"))
		lose_power(strtoull(when, NULL, 0), arg < 0 ? 50 : (unsigned)arg);
	else
		return add_rule(name, when, arg);
	return 0;
}

static const struct rule *find_rule(void)
{
	nwrites++;
	for (unsigned i = 0; i < nrules; i++) {
		uint64_t after = nwrites - rules[i].first;

		if (nwrites >= rules[i].first && (!after || (rules[i].step && after % rules[i].step == 0)))
			return &rules[i];
	}
	return NULL;
}

/* ---- file system ---- */

/* Each operation holds the lock until it returns; delay() alone lets others pass. */
#define HOLD_LOCK int held __attribute__((cleanup(unlock), unused)) = pthread_mutex_lock(&lock)

static void unlock(const int *held)
{
	(void)held;
	pthread_mutex_unlock(&lock);
}

static struct file *find(const char *name)
{
	if (!strcmp(name, CONTROL))
		return &control;
	for (unsigned i = 0; i < COUNT(files); i++)
		if (files[i].name[0] && !strcmp(files[i].name, name))
			return &files[i];
	return NULL;
}

static unsigned char *reserve(void)
{
	void *p = mmap(NULL, FILE_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

static void release_unused(struct file *f)
{
	if (f->name[0] || f->opens || !f->data)
		return;
	forget_unsynced(f);
	forget_stale(f, 0, FILE_MAX);
	munmap(f->data, FILE_MAX);
	munmap(f->durable, FILE_MAX);
	memset(f, 0, sizeof(*f));
}

static struct file *file_of(const char *path, struct fuse_file_info *fi)
{
	return fi && fi->fh ? (struct file *)(uintptr_t)fi->fh : find(path + 1);
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	const struct file *f;

	memset(st, 0, sizeof(*st));
	st->st_nlink = 1;
	if (path && !strcmp(path, "/")) {
		st->st_mode = S_IFDIR | 0755;
		st->st_nlink = 2;
		return 0;
	}
	st->st_mode = S_IFREG | 0644;
	f = file_of(path, fi);
	if (!f)
		return -ENOENT;
	st->st_size = f->size;
	st->st_blocks = (f->size + SECTOR - 1) / SECTOR;
	return 0;
}

static void open_file(struct file *f, struct fuse_file_info *fi)
{
	f->opens++;
	fi->fh = (uintptr_t)f;
	fi->direct_io = 1;
}

static int fs_open(const char *path, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = find(path + 1);

	if (!f)
		return -ENOENT;
	open_file(f, fi);
	return 0;
}

static int fs_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = NULL;

	(void)mode;
	for (unsigned i = 0; i < COUNT(files) && !f; i++)
		if (!files[i].data)
			f = &files[i];
	if (!f || strlen(path + 1) >= NAME_SIZE)
		return -ENOSPC;
	strcpy(f->name, path + 1);
	f->data = reserve();
	f->durable = reserve();
	f->last = &f->unsynced;
	open_file(f, fi);
	return 0;
}

static int fs_release(const char *path, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = (struct file *)(uintptr_t)fi->fh;

	(void)path;
	if (!f)
		return 0;
	f->opens--;
	release_unused(f);
	return 0;
}

static int fs_unlink(const char *path)
{
	HOLD_LOCK;
	struct file *f = find(path + 1);

	if (!f || f == &control)
		return -ENOENT;
	f->name[0] = '\0';
	release_unused(f);
	return 0;
}

/* The library renames an open file that is to be deleted, and deletes it when it is closed. */
static int fs_rename(const char *from, const char *to, unsigned flags)
{
	HOLD_LOCK;
	struct file *f = find(from + 1), *old = find(to + 1);

	if (!f || f == &control || old == &control || flags || strlen(to + 1) >= NAME_SIZE)
		return -EINVAL;
	if (old && old != f) {
		old->name[0] = '\0';
		release_unused(old);
	}
	strcpy(f->name, to + 1);
	return 0;
}

static int fs_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);

	if (!f)
		return -ENOENT;
	if (f == &control)
		return 0;
	if (size > FILE_MAX)
		return -EFBIG;
	zero(f, size, f->size - size);
	f->size = size;
	return 0;
}

static int fs_fallocate(const char *path, int mode, off_t offset, off_t bytes, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);

	if (!f || f == &control)
		return -EBADF;
	if (mode & ~(FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))
		return -EOPNOTSUPP;
	if (bytes > FILE_MAX - offset)
		return -EFBIG;
	if (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))
		zero(f, offset, bytes);
	if (!(mode & FALLOC_FL_KEEP_SIZE))
		grow(f, offset + bytes);
	return 0;
}

static void patch_stale(const struct file *f, char *buf, long bytes, long offset)
{
	for (const struct extent *e = f->stale; e; e = e->next)
		for (long i = 0; i < e->bytes; i++)
			if (e->offset + i >= offset && e->offset + i < offset + bytes)
				buf[e->offset + i - offset] = (char)e->data[i];
}

static int fs_read(const char *path, char *buf, size_t size, off_t offset, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	const struct file *f = file_of(path, fi);
	long bytes = (long)size;

	if (!f || offset >= f->size)
		return 0;
	if (bytes > f->size - offset)
		bytes = f->size - offset;
	memcpy(buf, f->data + offset, (size_t)bytes);
	patch_stale(f, buf, bytes, offset);
	return (int)bytes;
}

static int fs_write(const char *path, const char *buf, size_t size, off_t offset, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);
	struct write w = { f, (const unsigned char *)buf, offset, (long)size, -1 };
	const struct rule *r;
	long ret;

	if (!f)
		return -EBADF;
	if (f == &control)
		return request(buf, size) ? -EINVAL : (int)size;
	if (w.bytes > FILE_MAX - offset)
		return -EFBIG;
	r = find_rule();
	if (r) {
		w.arg = r->arg;
		record(r->kind->name, f, offset, w.bytes, r->arg);
		ret = r->kind->apply(&w);
	} else {
		store(f, w.data, offset, w.bytes);
		ret = w.bytes;
	}
	if (fi->flags & O_DSYNC)
		sync_file(f);
	return (int)ret;
}

static int fs_fsync(const char *path, int datasync, struct fuse_file_info *fi)
{
	HOLD_LOCK;
	struct file *f = file_of(path, fi);

	(void)datasync;
	if (f && f != &control)
		sync_file(f);
	return 0;
}

static int fs_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset,
		      struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	HOLD_LOCK;
	(void)path;
	(void)offset;
	(void)fi;
	(void)flags;
	fill(buf, ".", NULL, 0, 0);
	fill(buf, "..", NULL, 0, 0);
	for (unsigned i = 0; i < COUNT(files); i++)
		if (files[i].name[0])
			fill(buf, files[i].name, NULL, 0, 0);
	return 0;
}

static int fs_statfs(const char *path, struct statvfs *st)
{
	(void)path;
	*st = (struct statvfs){ .f_bsize = 4096, .f_frsize = 4096, .f_blocks = 1 << 20, .f_bfree = 1 << 20 };
	st->f_bavail = st->f_bfree;
	st->f_namemax = NAME_SIZE - 1;
	return 0;
}

static void *begin(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	conn->max_write = 1 << 20;
	cfg->nullpath_ok = 1;
	cfg->attr_timeout = 0;
	return NULL;
}

static const struct fuse_operations ops = {
	.init = begin,
	.getattr = fs_getattr,
	.readdir = fs_readdir,
	.create = fs_create,
	.open = fs_open,
	.release = fs_release,
	.unlink = fs_unlink,
	.rename = fs_rename,
	.truncate = fs_truncate,
	.fallocate = fs_fallocate,
	.read = fs_read,
	.write = fs_write,
	.fsync = fs_fsync,
	.statfs = fs_statfs,
};

int main(int argc, char **argv)
{
	char foreground[] = "-f";
	char *args[] = { argv[0], foreground, argv[2], NULL };

	if (argc != 3)
		return 2;
	log_file = fopen(argv[1], "w");
	if (!log_file)
		return 1;
	setvbuf(log_file, NULL, _IOLBF, 0);
	return fuse_main(3, args, &ops, NULL);
}
