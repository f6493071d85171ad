/* plan_device_zones.c: the sizes of zones (zonemode=zbd), and whether a zoned device can do what the job asks
   of its zones. */
#include <inttypes.h>
#include <string.h>
#include "blockdev.h"
#include "plan_build.h"
#include "units.h"
#include "zoned.h"

static const struct zone_cfg *zone_cfg(const struct plan_job *pj)
{
	return &pj->job->opts.offset.zone;
}

static const struct device_zones *zones_of(const struct plan_target *t)
{
	return t->facts->zones && t->facts->zones->size ? t->facts->zones : NULL;
}

/* Returns whether the target is a zoned device. */
static bool is_zoned(const struct plan_target *t)
{
	return *t->facts->zoned && strcmp(t->facts->zoned, "none");
}

static int check_zonesize(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	uint64_t asked = zone_cfg(pj)->size, size = t->facts->zones->size;

	if (!asked || asked == size)
		return 0;
	return plan_err(b, pj->job, "zonesize",
			"{zonesize=%s}: %s has zones of %s; leave {zonesize} out, or write {+zonesize=%s}",
			units_suffixed(asked).text, t->path, units_exact(size).text,
			units_suffixed(size).text);
}

static int check_skip(struct build *b, const struct plan_job *pj, struct plan_file *pf)
{
	const struct amount *skip = &pj->job->opts.files.zoneskip;

	pf->zone_skip = skip->zones ? skip->zones * pf->zone_size : skip->bytes;
	if (pf->zone_skip % pf->zone_size == 0 && pf->zone_skip / pf->zone_size <= UINT32_MAX)
		return 0;
	return plan_err(b, pj->job, "zoneskip", "{zoneskip=%s}: is no multiple of the zone size, %s",
			units_suffixed(pf->zone_skip).text, units_suffixed(pf->zone_size).text);
}

static int refuse_zones(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	struct blockdev dev;

	if (t->facts->commands == COMMANDS_SCSI)
		return plan_err(
			b, pj->job, "zonemode",
			"{zonemode=zbd}: %s has no calls for zones; use the block device of the disk: "
			"{+filename=/dev/%s}",
			t->path, blockdev_get(&dev, t->facts->rdev) ? "sdX" : dev.name);
	return plan_err(b, pj->job, "zonemode", "{zonemode=zbd}: the zones of %s cannot be read: %s", t->path,
			t->facts->zones_error ? diag_errno(t->facts->zones_error) : "it reports none");
}

int plan_zone_sizes(struct build *b, const struct plan_job *pj, struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	int ret = 0;

	if (zone_cfg(pj)->mode != ZONE_ZBD || pj->job->engine->caps & (ENG_NOIO | ENG_META))
		return 0;
	if (is_zoned(t) && !zones_of(t))
		return refuse_zones(b, pj, t);
	if (zones_of(t))
		ret = check_zonesize(b, pj, t);
	else if (!zone_cfg(pj)->size)
		return plan_err(b, pj->job, "zonemode",
				"{zonemode=zbd}: needs {zonesize}, such as {+zonesize=64m}");
	pf->zone_size = zones_of(t) ? t->facts->zones->size : zone_cfg(pj)->size;
	pf->zone_capacity = zone_cfg(pj)->capacity;
	return ret ? ret : check_skip(b, pj, pf);
}

int plan_zone_offset(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];

	if (!pf->zone_size || !zones_of(t) || pf->start % pf->zone_size == 0)
		return 0;
	return plan_err(
		b, pj->job, "offset",
		"{offset=%" PRIu64 "} lies inside a zone of %s; zones begin at multiples of %s, such as "
		"{+offset=%" PRIu64 "z}",
		pf->start, t->path, units_suffixed(pf->zone_size).text, pf->start / pf->zone_size + 1);
}

/* Sets *from and *to to the zones of the device that the file uses. */
static void zones_used(const struct plan_file *pf, const struct device_zones *d, uint64_t *from, uint64_t *to)
{
	*from = pf->start / pf->zone_size;
	*to = *from + (pf->len + pf->zone_size - 1) / pf->zone_size;
	if (*to > d->n)
		*to = d->n;
}

/* Sums the capacities of a device's zones, and finds the smallest one. */
static uint64_t sum_capacities(struct plan_file *pf, const struct device_zones *d)
{
	uint64_t from, to, sum = 0;

	zones_used(pf, d, &from, &to);
	pf->zone_capacity = pf->zone_size;
	for (uint64_t i = from; i < to; i++) {
		sum += d->v[i].capacity;
		if (d->v[i].capacity < pf->zone_capacity)
			pf->zone_capacity = d->v[i].capacity;
	}
	return sum;
}

/* As in fio, zones lie at multiples of their size. A pass of sequential writes ends when all zones are full.
 */
void plan_whole_zones(const struct plan_job *pj, struct plan_file *pf, const struct plan_target *t)
{
	uint64_t size = pf->zone_size, start, end, capacity;

	if (!size)
		return;
	start = (pf->start + size - 1) / size * size;
	end = (pf->start + pf->len) / size * size;
	pf->start = start;
	pf->pass_bytes = pf->len = end > start ? end - start : 0;
	capacity = zones_of(t) ? sum_capacities(pf, zones_of(t)) : pf->len / size * pf->zone_capacity;
	if (!(pj->rw & RW_RANDOM) && pj->rw & RW_WRITE)
		pf->pass_bytes = capacity;
}

/* Refuses blocks that no zone holds. */
static int check_blocks(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint32_t most = bsize_max(&pj->job->opts.offset.bsize, pj->rw & (RW_READ | RW_WRITE));

	if (most <= pf->zone_capacity)
		return 0;
	return plan_err(b, pj->job, "bs", "{bs=%u}: %s has zones that hold %s, which is less than a block",
			most, t->path, units_exact(pf->zone_capacity).text);
}

/* A trim resets a zone, so it has the size of one. */
static int check_trims(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct bsize_cfg *sizes = &pj->job->opts.offset.bsize;

	if (pj->rw & RW_TRIMWRITE)
		return plan_err(
			b, pj->job, "rw",
			"{rw=%s} does not go with the zones of %s: a trim resets a whole zone, and the write "
			"after it would fill only its start",
			plan_rw_name(pj->rw), t->path);
	if (pj->job->opts.verify.trim_percentage)
		return plan_err(
			b, pj->job, "trim_percentage",
			"{trim_percentage=%u} does not go with the zones of %s: a trim resets a whole zone",
			pj->job->opts.verify.trim_percentage, t->path);
	if (pj->rw & RW_TRIM && pf->zone_size > BS_MAX)
		return plan_err(
			b, pj->job, "rw",
			"{rw=%s}: a trim resets a zone, and those of %s have %s; a trim has 1 GiB at most",
			plan_rw_name(pj->rw), t->path, units_exact(pf->zone_size).text);
	if (!(pj->rw & RW_TRIM) ||
	    (bsize_fixed(sizes, RW_TRIM) && bsize_min(sizes, RW_TRIM) == pf->zone_size))
		return 0;
	return plan_err(b, pj->job, "bs",
			"{rw=%s}: a trim resets a zone of %s, so the size of trims must be {+bs=,,%s}",
			plan_rw_name(pj->rw), t->path, units_suffixed(pf->zone_size).text);
}

/* Refuses write_mode=zone_append where the device or its format does not support it. */
static int check_append(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	uint64_t most = zones_of(t) ? zones_of(t)->max_append : 0;

	if (!zone_cfg(pj)->append || !(pj->rw & RW_WRITE))
		return 0;
	if (!most)
		return plan_err(b, pj->job, "write_mode",
				"{write_mode=zone_append}: %s takes no zone appends ("
				"zone_append_max_bytes in sysfs is 0 or missing)",
				t->path);
	if (pj->bs_max > most)
		return plan_err(
			b, pj->job, "bs",
			"{bs=%u}: a zone append to %s has %s at most (zone_append_max_bytes in sysfs)",
			pj->bs_max, t->path, units_bytes(most).text);
	if (t->facts->nvme.pi_type)
		return plan_err(
			b, pj->job, "write_mode",
			"{write_mode=zone_append}: the blocks of %s have protection information, whose "
			"reference tags depend on the place",
			t->path);
	return 0;
}

/* Refuses zones that cannot be used. */
static int check_states(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct device_zones *d = zones_of(t);
	uint64_t from, to;

	for (zones_used(pf, d, &from, &to); from < to; from++) {
		enum zoned_state s = d->v[from].state;

		if (s == ZONED_OFFLINE || (s == ZONED_READ_ONLY && pj->rw & (RW_WRITE | RW_TRIM)))
			return plan_err(b, pj->job, "offset",
					"zone %" PRIu64
					" of %s is %s; choose an area without it with {offset} and {size}",
					from, t->path, s == ZONED_OFFLINE ? "offline" : "read-only");
	}
	return 0;
}

static int check_limit(struct build *b, const struct plan_job *pj, const struct plan_target *t,
		       const char *name, uint32_t asked)
{
	const struct device_zones *d = t->facts->zones;
	uint32_t limit = zoned_limit(d);

	if (!limit || asked <= limit || pj->job->opts.ignore_zone_limits)
		return 0;
	return plan_err(b, pj->job, name,
			"{%s=%u}: %s allows %u %s zones; {+ignore_zone_limits=1} tries more", name, asked,
			t->path, limit, limit == d->max_open ? "open" : "active");
}

static bool is_partly_written(const struct device_zone *z)
{
	return !z->conventional && z->state == ZONED_NORMAL && z->wp && z->wp < z->capacity;
}

/* Refuses an area in which no zone can be opened, because zones outside of it are partly written. */
static int check_open_elsewhere(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct device_zones *d = zones_of(t);
	uint32_t limit = zoned_limit(d), elsewhere = 0;
	uint64_t from, to;

	zones_used(pf, d, &from, &to);
	for (uint64_t i = 0; i < d->n; i++)
		elsewhere += (i < from || i >= to) && is_partly_written(&d->v[i]);
	if (!limit || elsewhere < limit || pj->job->opts.ignore_zone_limits)
		return 0;
	return plan_err(
		b, pj->job, "zonemode",
		"{zonemode=zbd}: %u zones of %s outside of the area are partly written, and the device "
		"allows %u open ones; reset or finish some (blkzone)",
		elsewhere, t->path, limit);
}

static int check_writes(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	int ret;

	if (!(pj->rw & RW_WRITE))
		return 0;
	if (!pj->job->opts.file.direct)
		return plan_err(
			b, pj->job, "direct",
			"{direct=0}: writes to the zones of %s need {+direct=1}: the page cache would write "
			"them in another order",
			t->path);
	ret = check_limit(b, pj, t, "max_open_zones", zone_cfg(pj)->max_open);
	ret = ret ? ret : check_limit(b, pj, t, "job_max_open_zones", zone_cfg(pj)->job_max_open);
	return ret ? ret : check_open_elsewhere(b, pj, pf);
}

/* Refuses a job that only reads where there is nothing to read. */
static int check_data(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct device_zones *d = zones_of(t);
	uint64_t from, to;

	if (!(pj->rw & RW_READ) || pj->rw & RW_WRITE || zone_cfg(pj)->read_beyond_wp || t->write)
		return 0;
	for (zones_used(pf, d, &from, &to); from < to; from++)
		if (d->v[from].conventional || d->v[from].wp)
			return 0;
	return plan_err(
		b, pj->job, "rw",
		"{rw=%s}: all zones of the area of %s are empty; write them first, or read them anyway with "
		"{+read_beyond_wp=1}",
		plan_rw_name(pj->rw), t->path);
}

/* A job that loads no state draws the writes of an earlier run again. */
static int check_verify(struct build *b, const struct plan_job *pj, const struct plan_target *t)
{
	const struct verify_opts *v = &pj->job->opts.verify;

	if (!v->format.kind)
		return 0;
	if (v->backlog)
		return plan_err(b, pj->job, "verify_backlog",
				"{verify_backlog=%u} does not go with the zones of %s: a zone may be reset "
				"before its blocks are read",
				v->backlog, t->path);
	if (pj->rw & RW_WRITE && (!v->only || v->state_load))
		return 0;
	return plan_err(b, pj->job, "verify",
			"{verify}: where blocks of %s lie depends on the write pointers that their job "
			"found; verify in "
			"the job that writes, or later with {+verify_only=1} and {+verify_state_load=1}",
			t->path);
}

/* Notes which zones the job finds. */
static void note_zones(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	const struct device_zones *d = zones_of(t);
	uint32_t conventional = 0, read_only = 0, limit = zoned_limit(d);
	uint64_t from, to;

	if (pj->clone)
		return;
	for (uint32_t i = 0; i < d->n; i++)
		conventional += d->v[i].conventional;
	for (zones_used(pf, d, &from, &to); from < to; from++)
		read_only += d->v[from].state == ZONED_READ_ONLY;
	if (read_only && !zone_cfg(pj)->read_beyond_wp)
		notes_add(
			&b->p->notes,
			"%s: zones of %s that are read-only (%u) have no write pointer; they are read up to "
			"their capacity",
			pj->job->name, t->path, read_only);
	notes_add(&b->p->notes, "%s: %s is %s: %u zones of %s, %u of them conventional; %s%.0u%s",
		  pj->job->name, t->path, t->facts->zoned, d->n, units_exact(d->size).text, conventional,
		  limit ? "at most " : "any number", limit, " may be open");
}

static int check_device(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];
	int ret = check_blocks(b, pj, pf);

	ret = ret ? ret : check_trims(b, pj, pf);
	ret = ret ? ret : check_append(b, pj, pf);
	ret = ret ? ret : check_states(b, pj, pf);
	ret = ret ? ret : check_writes(b, pj, pf);
	ret = ret ? ret : check_verify(b, pj, t);
	ret = ret ? ret : check_data(b, pj, pf);
	if (!ret)
		note_zones(b, pj, pf);
	return ret;
}

static int check_emulated(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	int ret = check_append(b, pj, pf);

	if (ret)
		return ret;
	if (pj->rw & RW_TRIM)
		return plan_err(
			b, pj->job, "rw",
			"{rw=%s}: does not go with {zonemode=zbd}: a trim resets a zone of a device, and "
			"emulated zones have no such command",
			plan_rw_name(pj->rw));
	if (pj->rw & RW_READ && !zone_cfg(pj)->read_beyond_wp)
		return plan_err(
			b, pj->job, "rw",
			"{rw=%s}: with {zonemode=zbd} needs {+read_beyond_wp=1}: all emulated zones are "
			"empty when the job starts, so nothing lies below a write pointer",
			plan_rw_name(pj->rw));
	return 0;
}

int plan_check_zbd(struct build *b, const struct plan_job *pj, const struct plan_file *pf)
{
	const struct plan_target *t = &b->p->targets[pf->target];

	if (zone_cfg(pj)->mode != ZONE_ZBD || !pf->zone_size)
		return 0;
	if (!pf->len)
		return plan_err(
			b, pj->job, zones_of(t) ? "size" : "zonesize",
			"{zonesize=%s}: the area of %s holds no whole zone; zones lie at multiples of "
			"their size",
			units_suffixed(pf->zone_size).text, t->path);
	if (pf->len / pf->zone_size > UINT32_MAX / 16)
		return plan_err(b, pj->job, "zonesize", "{zonesize=%s}: %s would have more than %u zones",
				units_suffixed(pf->zone_size).text, t->path, UINT32_MAX / 16);
	return zones_of(t) ? check_device(b, pj, pf) : check_emulated(b, pj, pf);
}

/* Returns whether the job never has more than one write in flight: it fills one zone after the other, none of
   them conventional, and nothing but writes goes to the device. */
static bool fills_zones_alone(const struct build *b, const struct plan_job *pj)
{
	const struct job_opts *o = &pj->job->opts;
	const struct plan_file *pf = pj->files;
	const struct device_zones *d =
		pj->nfiles == 1 && pf->zone_size ? zones_of(&b->p->targets[pf->target]) : NULL;
	uint64_t from, to;

	if (!d || zone_cfg(pj)->mode != ZONE_ZBD || zone_cfg(pj)->append || (pj->rw & RW_DIRS) != RW_WRITE ||
	    pj->rw & RW_RANDOM || o->verify.format.kind || o->sync.fsync || o->sync.fdatasync ||
	    o->sync.range.every || o->replay.log || o->time.search)
		return false;
	for (zones_used(pf, d, &from, &to); from < to; from++)
		if (d->v[from].conventional)
			return false;
	return true;
}

void plan_zones_depth(struct build *b, struct plan_job *pj)
{
	if (pj->depth <= 1 || !fills_zones_alone(b, pj))
		return;
	if (plan_is_first(b, pj))
		notes_add(
			&b->p->notes,
			"%s: sequential writes fill the zones of %s one after the other, and each zone has "
			"one write in flight, so the depth is 1, not %u; {+rw=randwrite} uses several zones "
			"at a time",
			pj->job->name, b->p->targets[pj->files[0].target].path, pj->depth);
	pj->depth = 1;
}
