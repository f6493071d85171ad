#include "zones.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "account.h"
#include "clone.h"
#include "file_set.h"
#include "io_source.h"
#include "worker.h"
#include "zoned.h"

static const char *const command_names[] = {
	[ZONE_RESET] = "reset", [ZONE_FINISH] = "finish", [ZONE_LOCATE] = "report"
};

/* Notes that the zone takes no writes any more. */
static void note_worn_out(const struct file_zones *z, uint64_t start, enum zoned_state state)
{
	const struct worker *w = z->worker;

	clone_note(&w->clone, "zone %llu of %s has become %s; the job has not %s it since",
		   (unsigned long long)(start / z->use.table->size), w->files.file[z->file].path,
		   state == ZONED_OFFLINE ? "offline" : "read-only",
		   state == ZONED_OFFLINE ? "used" : "written to");
}

/* A reset or a finish failed with err. Returns whether the job goes on, because the zone is worn out, and
   continue_on_error covers writes. */
static bool command_failed(struct file_zones *z, enum zone_command c, uint64_t start, int err,
			   struct zone *as)
{
	struct worker *w = z->worker;
	const struct file *f = &w->files.file[z->file];
	struct zone now = { 0 };
	char text[sizeof(w->clone.slot->error_text)];

	if (!zoned_command(f, ZONE_LOCATE, start, 0, &now) && now.state)
		note_worn_out(z, start, now.state);
	snprintf(text, sizeof(text), "%s: %s of the zone at offset %llu: %s", f->path, command_names[c],
		 (unsigned long long)start, diag_errno(-err));
	if (!now.state) {
		clone_fail(&w->clone, err, "%s", text);
		return false;
	}
	as->state = now.state;
	io_errors_count(w, IO_WRITE, err, text);
	return !w->clone.failed;
}

/* The device has said where the write pointer is. */
static void located(const struct file_zones *z, uint64_t start, uint64_t len, const struct zone *as)
{
	if (as->state)
		note_worn_out(z, start, as->state);
	else if (z->forget && as->wp < len)
		z->forget(z->worker->verify, z->file, start + as->wp, len - as->wp);
}

/* This is zone_use.command. */
static bool send_command(void *arg, enum zone_command c, uint64_t start, uint64_t len, struct zone *as)
{
	struct file_zones *z = arg;
	struct worker *w = z->worker;
	const struct file *f = &w->files.file[z->file];
	uint64_t size = clone_target(&w->clone, z->file)->facts->size;
	int ret;

	len = start + len > size ? size - start : len;
	if (c == ZONE_RESET && z->forget)
		z->forget(w->verify, z->file, start, len);
	do
		ret = zoned_command(f, c, start, len, as);
	while (ret == -EINTR);
	if (ret && c != ZONE_LOCATE)
		return command_failed(z, c, start, -ret, as);
	if (ret)
		clone_fail(&w->clone, -ret, "%s: %s of the zone at offset %llu: %s", f->path,
			   command_names[c], (unsigned long long)start, diag_errno(ret));
	else if (c == ZONE_LOCATE)
		located(z, start, len, as);
	return !ret;
}

static void init_use(struct file_zones *z, const struct clone *c, uint32_t file)
{
	const struct plan_file *pf = &c->job->files[file];
	const struct zone_cfg *cfg = &clone_file_opts(c, file)->offset.zone;
	const struct plan_zone_table *t = &c->plan->zone_tables[pf->zone_table - 1];

	z->file = file;
	z->use = (struct zone_use){
		.table = region_zone_table(c->region, pf->zone_table),
		.me = (uint32_t)syscall(SYS_gettid),
		.max_open = cfg->max_open ? cfg->max_open : t->limit,
		.job_max_open = cfg->job_max_open,
		.appends = cfg->append && t->device,
		.skip = pf->zone_skip,
		.command = t->device ? send_command : NULL,
		.arg = z,
	};
}

bool zones_init(struct file_zones **zones, const struct clone *c)
{
	uint32_t n = c->job->nfiles;
	struct file_zones *z;

	if (!n || !c->job->files[0].zone_table)
		return true;
	z = *zones = calloc(n, sizeof(*z));
	for (uint32_t i = 0; z && i < n; i++) {
		init_use(&z[i], c, i);
		z[i].memory = malloc(zbd_bytes());
		if (!z[i].memory)
			return false;
	}
	return z;
}

bool zones_send_commands(const struct file_zones *zones, uint32_t nfiles)
{
	for (uint32_t i = 0; zones && i < nfiles; i++)
		if (zones[i].use.command)
			return true;
	return false;
}

void zones_fini(struct file_zones *zones, uint32_t nfiles)
{
	for (uint32_t i = 0; zones && i < nfiles; i++)
		free(zones[i].memory);
	free(zones);
}

void zones_set(struct file_zones *z, struct offset_gen *g)
{
	zbd_set(g, z->memory, &z->use);
}

void zones_count(struct io_source *s, const struct clone *c, struct wcount *cnt)
{
	for (uint32_t i = 0; s->zones && i < c->job->nfiles; i++) {
		s->zones[i].use.resets = &cnt->zone_resets;
		s->zones[i].use.finishes = &cnt->zone_finishes;
		s->zones[i].use.most_open = &cnt->zones_open_max;
	}
}

/* Reads the zones of the device unless another worker uses them. Returns 0 or -errno. */
static int begin_use(struct file_zones *z, const char *path)
{
	struct zone_table *t = z->use.table;
	int ret;

	zone_table_lock(t, z->use.me);
	ret = t->users ? 0 : zoned_load(t, path);
	t->users += !ret;
	zone_table_unlock(t);
	return ret;
}

bool zones_begin(struct worker *w, zones_forget *forget)
{
	struct clone *c = &w->clone;
	struct file_zones *z = w->source.zones;

	for (uint32_t i = 0; z && i < c->job->nfiles; i++) {
		const char *path = clone_target(c, i)->path;
		int ret;

		if (!z[i].use.command)
			continue;
		w->files.file[i].zone_bytes = z[i].use.table->size;
		ret = begin_use(&z[i], path);
		if (ret) {
			clone_fail(c, -ret, "%s: the zones cannot be read: %s", path, diag_errno(ret));
			return false;
		}
		z[i].worker = w;
		z[i].forget = forget;
	}
	return true;
}

void zones_end(struct worker *w)
{
	struct file_zones *z = w->source.zones;

	for (uint32_t i = 0; z && i < w->clone.job->nfiles; i++) {
		if (!z[i].worker)
			continue;
		zone_table_lock(z[i].use.table, z[i].use.me);
		z[i].use.table->users--;
		zone_table_unlock(z[i].use.table);
	}
}

void zones_io_done(struct worker *w, const struct io *io)
{
	bool whole = io->res == (int64_t)io->len;

	if (io->dir == DIR_WRITE || io->dir == DIR_TRIM ||
	    (io->dir == DIR_READ && io->res < 0 && io->res != -ECANCELED))
		zbd_done(io_source_gen(&w->source, io->target, 0), (enum io_dir)io->dir, io->offset,
			 io->total, !whole);
}

enum zbd_stop zones_stopped(struct clone *c, const struct offset_gen *g, uint32_t file)
{
	enum zbd_stop why = zbd_stopped(g);
	const struct plan_file *pf = &c->job->files[file];

	if (why == ZBD_ALL_OPEN)
		clone_fail(c, EBUSY,
			   "%s: the limit of open zones is reached, and none of the open zones lies in the "
			   "area of the job",
			   clone_target(c, file)->path);
	if (why == ZBD_WORN_OUT)
		clone_fail(c, EIO,
			   "%s: no zone from offset %llu on, length %llu, takes writes any more: all are "
			   "read-only or offline",
			   clone_target(c, file)->path, (unsigned long long)pf->start,
			   (unsigned long long)pf->len);
	return why;
}
