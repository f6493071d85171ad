/* resolve_zones.c: the rules for zonemode and its options. */
#include "rules.h"

#include <inttypes.h>

static const char *const amount_names[] = {
	"size", "io_size", "offset", "offset_increment", "rank_offset_increment", "zoneskip"
};
#define SECTOR_BYTES 512u
#define AMOUNTS      (sizeof(amount_names) / sizeof(*amount_names))

/* Turns amounts in zones, such as size=4z, into bytes. */
static int apply_zonesize(struct rule_ctx *r)
{
	struct files_cfg *f = &r->o->files;
	struct amount *amounts[AMOUNTS] = {
		&f->size,    &f->io_size, &f->offset, &f->offset_increment, &f->rank_offset_increment,
		&f->zoneskip
	};
	uint64_t size = r->o->offset.zone.size;

	for (unsigned i = 0; i < AMOUNTS; i++) {
		struct amount *a = amounts[i];

		if (!a->zones)
			continue;
		if (r->o->offset.zone.mode == ZONE_ZBD && !size)
			continue; /* the device has a zone size */
		if (!r->o->offset.zone.mode || !size)
			return rule_refuse(r, amount_names[i],
					   "a number of zones needs {+zonemode=zbd}, or {+zonemode=strided} "
					   "with {zonesize}");
		if (__builtin_mul_overflow(a->zones, size, &a->bytes))
			return rule_refuse(r, amount_names[i], "is too large with {zonesize=%" PRIu64 "}",
					   size);
	}
	return 0;
}

static void note_zbd_options(struct rule_ctx *r, const char *why)
{
	static const char *const names[] = { "zonecapacity",         "read_beyond_wp",
					     "max_open_zones",       "job_max_open_zones",
					     "zone_reset_threshold", "zone_reset_frequency",
					     "ignore_zone_limits" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "%s", why);
}

/* Without zones: refuses zonesize, as fio does, and notes the options that have no effect. */
static int check_none(struct rule_ctx *r)
{
	static const char *const unused[] = { "zonerange", "zoneskip" };

	note_zbd_options(r, "has no effect without {+zonemode=zbd}");

	if (rule_section_option(r, "zonesize") && r->o->offset.zone.size)
		return rule_refuse(r, "zonesize",
				   "contradicts {zonemode=none}; zones need {+zonemode=strided} or zbd");
	for (unsigned i = 0; i < sizeof(unused) / sizeof(*unused); i++)
		if (rule_section_option(r, unused[i]))
			rule_note(r, unused[i], "has no effect without {+zonemode=strided}");
	return 0;
}

static int check_block_sizes(struct rule_ctx *r)
{
	const struct zone_cfg *z = &r->o->offset.zone;
	const struct bsize_cfg *b = &r->o->offset.bsize;
	uint32_t most = bsize_max(b, r->o->offset.rw & RW_DIRS);
	const char *by = r->o->bssplit ? "bssplit" : job_user_option(r->job, "bsrange") ? "bsrange" : "bs";

	if (most > z->size)
		return rule_refuse(r, by,
				   "blocks of %u bytes do not fit into a zone with {zonesize=%" PRIu64 "}",
				   most, z->size);
	if (most > z->range)
		return rule_refuse(r, by,
				   "blocks of %u bytes do not fit into a zone with {zonerange=%" PRIu64 "}",
				   most, z->range);
	return 0;
}

static int check_strided(struct rule_ctx *r)
{
	struct zone_cfg *z = &r->o->offset.zone;
	uint64_t period;

	if (!z->size)
		return rule_refuse(r, "zonemode", "needs {zonesize}, such as {+zonesize=64m}");
	if (!z->range)
		z->range = z->size;
	note_zbd_options(r, "has no effect with {zonemode=strided}");
	z->skip = r->o->files.zoneskip.bytes;
	if (__builtin_add_overflow(z->range, z->skip, &period) || period > UINT64_MAX / 4)
		return rule_refuse(r, "zoneskip", "is too large with {zonerange=%" PRIu64 "}", z->range);
	if (r->o->offset.rw_stride < 0)
		return rule_refuse(r, "zonemode",
				   "does not go with an {rw} that goes backwards, because each zone is used "
				   "from its start");
	if (r->o->offset.dist && r->o->offset.dist->kind == DIST_SEQUENCE)
		return rule_refuse(
			r, "random_distribution",
			"does not go with {zonemode=strided}: the blocks of a sequence are those of the "
			"whole file");
	if (r->o->offset.dist && r->o->offset.dist->absolute)
		return rule_refuse(r, "random_distribution",
				   "does not go with {zonemode=strided}, where it applies to each zone; use "
				   "percentages ({+random_distribution=zoned:80/20:20/80})");
	if (r->o->files.fill)
		return rule_refuse(r, "fill_device",
				   "does not go with {zonemode=strided}, which leaves gaps");
	return check_block_sizes(r);
}

static int check_zbd_order(struct rule_ctx *r)
{
	const struct offset_cfg *o = &r->o->offset;

	if (o->rw_stride)
		return rule_refuse(r, "zonemode",
				   "does not go with an {rw} that leaves gaps, because a zone is written "
				   "without gaps");
	if (r->o->files.fill || r->o->files.append)
		return rule_refuse(r, r->o->files.fill ? "fill_device" : "file_append",
				   "does not go with {zonemode=zbd}, whose zones lie in a target of known "
				   "size");
	if (o->rw & RW_RANDOM && (r->o->files.zoneskip.bytes || r->o->files.zoneskip.zones))
		rule_note(r, "zoneskip", "has no effect: only sequential I/O skips zones");
	return 0;
}

/* Checks the sizes of zones. Without zonesize they are those of a device, which plan_device_zones.c checks.
 */
static int check_zbd_sizes(struct rule_ctx *r)
{
	struct zone_cfg *z = &r->o->offset.zone;
	uint32_t most = bsize_max(&r->o->offset.bsize, r->o->offset.rw & (RW_READ | RW_WRITE));

	if (!z->size)
		return 0;
	if (z->size < SECTOR_BYTES)
		return rule_refuse(r, "zonesize", "a zone has at least %u bytes", SECTOR_BYTES);
	if (!z->capacity)
		z->capacity = z->size;
	if (z->capacity > z->size)
		return rule_refuse(r, "zonecapacity", "is larger than {zonesize=%" PRIu64 "}", z->size);
	if (most > z->capacity)
		return rule_refuse(r, "bs", "blocks of %u bytes do not fit into a zone with {%s=%" PRIu64 "}",
				   most, z->capacity < z->size ? "zonecapacity" : "zonesize", z->capacity);
	z->skip = r->o->files.zoneskip.bytes;
	if (z->skip % z->size)
		return rule_refuse(r, "zoneskip", "is no multiple of {zonesize=%" PRIu64 "}", z->size);
	z->range = z->size;
	return 0;
}

static int check_zbd(struct rule_ctx *r)
{
	struct zone_cfg *z = &r->o->offset.zone;
	int err = check_zbd_sizes(r);

	if (err)
		return err;
	z->max_open = r->o->max_open_zones;
	z->job_max_open = r->o->job_max_open_zones;
	if (rule_section_option(r, "zonerange"))
		rule_note(r, "zonerange", "has no effect with {zonemode=zbd}");
	return check_zbd_order(r);
}

int rule_zones(struct rule_ctx *r)
{
	int err = apply_zonesize(r);

	if (err || r->job->engine->caps & (ENG_NOIO | ENG_META))
		return err;
	switch (r->o->offset.zone.mode) {
	case ZONE_STRIDED:
		return check_strided(r);
	case ZONE_ZBD:
		return check_zbd(r);
	case ZONE_NONE:
		break;
	}
	return check_none(r);
}

int rule_zone_orders(struct rule_ctx *r)
{
	const struct offset_cfg *o = &r->o->offset;
	const struct {
		bool set;
		const char *name;
	} orders[] = {
		{ o->shared, "offset_shared" },
		{ o->per_slot, "seq_per_slot" },
		{ o->shared_pos, "rwmix_shared_pos" },
		{ o->wrap != SEQ_WRAP_START, "seq_wrap" },
		{ o->runs != SEQ_RUNS_MIXED, "seq_runs" },
		{ r->o->queue.per_file, "iodepth_per_file" },
		{ r->o->files.weights, "file_weights" },
		{ r->o->thread_group.name, "thread_group" },
	};

	for (unsigned i = 0; o->zone.mode && i < sizeof(orders) / sizeof(*orders); i++)
		if (orders[i].set)
			return rule_refuse(r, orders[i].name,
					   "does not go with {zonemode}, where the zones of each file take "
					   "turns");
	return 0;
}
