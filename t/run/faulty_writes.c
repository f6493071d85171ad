#include "faulty_writes.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BITS     8
#define MS       1000000l
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

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

static struct rule rules[16];
static unsigned nrules;
static uint64_t nwrites;

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
	for (unsigned i = 0; i < FILES; i++) {
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
	for (unsigned i = 0; i < FILES; i++) {
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

int request(const char *text, size_t size)
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

long write_faulty(struct file *f, const unsigned char *data, long offset, long bytes)
{
	struct write w = { f, data, offset, bytes, -1 };
	const struct rule *r = find_rule();

	if (!r) {
		store(f, data, offset, bytes);
		return bytes;
	}
	w.arg = r->arg;
	record(r->kind->name, f, offset, bytes, r->arg);
	return r->kind->apply(&w);
}
