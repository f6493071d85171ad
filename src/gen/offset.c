#include <assert.h>
#include <stddef.h>
#include "offset_parts.h"

/* Returns whether some random I/Os follow the one before them. */
static bool partly_sequential(const struct offset_cfg *cfg)
{
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (offset_dirs(cfg) & 1u << d && cfg->random_percent[d] < 100)
			return true;
	return cfg->rw_nr > 1;
}

bool offset_partly_sequential(const struct offset_cfg *cfg)
{
	return !(cfg->rw & RW_RANDOM) || partly_sequential(cfg);
}

static bool skewed(const struct offset_cfg *cfg)
{
	return cfg->rw & RW_RANDOM && cfg->dist && cfg->dist->kind == DIST_SKEWED;
}

/* Returns whether random places come from a permutation. */
static bool has_permutation(const struct offset_cfg *cfg)
{
	if (!(cfg->rw & RW_RANDOM) || skewed(cfg))
		return false;
	return partly_sequential(cfg) || !(offset_no_coverage(cfg) || cfg->dist);
}

/* Returns the first direction with the same alignment and smallest random I/O. In a range of any length it
   has the same places as this direction, so both share their batches. */
static unsigned batch_dir(const struct offset_cfg *cfg, unsigned dir)
{
	const struct bsize_cfg *c = &cfg->bsize;
	unsigned k = 0;

	while (k < dir &&
	       (!(offset_dirs(cfg) & 1u << k) || cfg->ba[k] != cfg->ba[dir] ||
		bsize_entry_min(c, bsize_entry(c, true, k)) != bsize_entry_min(c, bsize_entry(c, true, dir))))
		k++;
	return k;
}

/* Returns the number of batches for zones of one length. */
static unsigned batches_of(const struct offset_cfg *cfg)
{
	unsigned n = 0;

	for (unsigned d = 0; d < DIR_DATA; d++)
		n += offset_dirs(cfg) & 1u << d && batch_dir(cfg, d) == d;
	return n;
}

size_t offset_bytes(const struct offset_cfg *cfg, unsigned skew_batch)
{
	unsigned lengths = cfg->zone.mode == ZONE_STRIDED ? 2 : 1;

	if (skewed(cfg))
		return offsetof(struct offset_gen, skew_batch) +
		       lengths * batches_of(cfg) * skew_batch_bytes(skew_batch);
	if (!has_permutation(cfg))
		return offsetof(struct offset_gen, perm);
	return bsize_fixed(&cfg->bsize, offset_dirs(cfg))
		       ? offsetof(struct offset_gen, size)
		       : offsetof(struct offset_gen, extent) + sizeof(((struct offset_gen *)0)->extent);
}

static enum offset_kind choose_order(const struct offset_gen *g)
{
	const struct offset_cfg *cfg = g->cfg;
	struct bsize_share list[OFFSET_SIZES];

	if (!(cfg->rw & RW_RANDOM))
		return offset_wraps(cfg) ? OFFSET_SEQ_WRAP : OFFSET_SEQUENTIAL;
	if (partly_sequential(cfg))
		return cfg->runs == SEQ_RUNS_HOMOGENEOUS ? OFFSET_RUNS : OFFSET_GROUPS;
	if (offset_no_coverage(cfg) || cfg->dist || offset_unaligned(g))
		return OFFSET_UNIFORM;
	if (g->block)
		return OFFSET_BLOCKS;
	return bsize_list(&cfg->bsize, offset_dirs(cfg), list, OFFSET_SIZES) ? OFFSET_LISTED : OFFSET_EXTENTS;
}

static enum offset_kind choose_fast_kind(const struct offset_gen *g)
{
	bool quick = g->kind == OFFSET_BLOCKS || (g->kind == OFFSET_SEQUENTIAL && g->cfg->rw_stride == 0) ||
		     (g->kind == OFFSET_UNIFORM && (!g->cfg->dist || skewed(g->cfg)));
	enum offset_kind kind = quick && skewed(g->cfg) ? OFFSET_SKEWED : g->kind;

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (offset_dirs(g->cfg) & 1u << d && (!g->fixed[d] || !g->places[d]))
			quick = false;
	if (g->cfg->rw & RW_TRIMWRITE)
		return OFFSET_PAIRS;
	return quick ? kind : OFFSET_RUNS;
}

/* Returns how many places for random I/Os a range of this length has. */
static uint64_t count_places(const struct offset_gen *g, unsigned dir, uint64_t len)
{
	const struct bsize_cfg *c = &g->cfg->bsize;

	if (!g->align[dir] || bsize_least_range(c, 1u << dir) > len)
		return 0;
	return (len - bsize_entry_min(c, bsize_entry(c, true, dir))) / g->align[dir] + 1;
}

static void set_sizes(struct offset_gen *g)
{
	const struct offset_cfg *cfg = g->cfg;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		unsigned bit = 1u << d;
		uint32_t random = bsize_entry_min(&cfg->bsize, bsize_entry(&cfg->bsize, true, d));

		g->least[d] = bsize_min(&cfg->bsize, bit);
		g->least_follow[d] = bsize_entry_min(&cfg->bsize, bsize_entry(&cfg->bsize, false, d));
		g->fixed[d] = bsize_fixed(&cfg->bsize, bit) ? g->least[d] : 0;
		g->align[d] = cfg->ba[d] ? cfg->ba[d] : random;
		g->zone_accesses[d] = cfg->dist ? dist_accesses(cfg->dist, (enum io_dir)d, g->len) : 0;
		g->places[d] = count_places(g, d, g->len);
	}
}

/* Sets the skews of ranges of this length. `batches`: their batches. Returns false if memory is short. */
static bool set_length_skews(struct offset_gen *g, struct skew_table *t, struct offset_skew *to,
			     unsigned char *batches, uint64_t len)
{
	size_t bytes = skew_batch_bytes(t->batch);

	for (unsigned d = 0; d < DIR_DATA; d++) {
		uint64_t places = count_places(g, d, len);
		unsigned first = batch_dir(g->cfg, d);

		if (!(offset_dirs(g->cfg) & 1u << d) || !places)
			continue;
		to[d].skew = skew_table_get(t, &g->cfg->dist->skew, places);
		if (!to[d].skew)
			return false;
		to[d].batch = first < d ? to[first].batch : (struct skew_batch *)(void *)batches;
		if (first == d) {
			skew_restart(to[d].batch);
			batches += bytes;
		}
	}
	return true;
}

/* All zones that take turns have the same length, except the last one, which may be shorter. */
static uint64_t last_zone_len(const struct offset_gen *g)
{
	const struct zone_cfg *z = &g->cfg->zone;
	uint64_t rest = g->turns.len % (z->range + z->skip);

	return rest && rest < z->range ? rest : z->range;
}

bool offset_set_skews(struct offset_gen *g, struct skew_table *t)
{
	unsigned char *batches = (unsigned char *)g->skew_batch;

	if (!skewed(g->cfg))
		return true;
	for (unsigned i = 0; i < OFFSET_SKEWS; i++)
		g->skew[i] = (struct offset_skew){ NULL, NULL };
	if (!set_length_skews(g, t, g->skew, batches, g->len))
		return false;
	batches += batches_of(g->cfg) * skew_batch_bytes(t->batch);
	return g->kind != OFFSET_STRIDED ||
	       set_length_skews(g, t, g->skew + DIR_DATA, batches, last_zone_len(g));
}

/* Exchanges the skews for those of zones of the other length. */
static void swap_skews(struct offset_gen *g)
{
	for (unsigned d = 0; d < DIR_DATA && skewed(g->cfg); d++) {
		struct offset_skew other = g->skew[DIR_DATA + d];

		g->skew[DIR_DATA + d] = g->skew[d];
		g->skew[d] = other;
	}
}

static void set_permutation(struct offset_gen *g)
{
	uint64_t n = 0;

	if (!g->permuted)
		return;
	if (g->order == OFFSET_EXTENTS || g->order == OFFSET_LISTED)
		n = extents_init(g);
	else if (g->block &&
		 (g->order == OFFSET_BLOCKS || g->order == OFFSET_GROUPS || g->order == OFFSET_RUNS))
		n = g->len / g->block;
	permute_init(&g->perm, n, 0);
}

void offset_set_range(struct offset_gen *g, uint64_t start, uint64_t len)
{
	bool same_len = len == g->len;

	g->start = start;
	g->len = len;
	if (same_len)
		return;
	g->nsizes = 0;
	set_sizes(g);
	set_permutation(g);
	swap_skews(g);
}

void offset_begin_order(struct offset_gen *g, uint64_t key)
{
	rng_init(&g->rng, key);
	if (g->permuted)
		permute_restart(&g->perm, key);
	for (unsigned d = 0; d < DIR_DATA && g->order != OFFSET_SEQ_WRAP; d++)
		g->pos[d] = 0;
	g->sequence_base = 0;
	g->sequence_next = 0;
	g->group_left = 0;
	g->pass_left = offset_no_coverage(g->cfg) ? UINT64_MAX : g->len;
	if (g->order == OFFSET_EXTENTS || g->order == OFFSET_LISTED)
		extents_begin(g);
}

static void begin_pass(struct offset_gen *g)
{
	uint64_t key = rng_mix64(g->seed + rng_mix64(g->pass));

	/* Not for each turn of a zone: a batch of draws serves many turns. */
	for (unsigned i = 0; i < OFFSET_SKEWS && skewed(g->cfg); i++)
		if (g->skew[i].batch)
			skew_restart(g->skew[i].batch);
	if (g->kind == OFFSET_STRIDED)
		strided_begin(g, key);
	else if (g->kind == OFFSET_ZBD)
		zbd_begin(g, key);
	else
		offset_begin_order(g, key);
}

/* Prepares the turns of the zones, and sets the first zone as the range. */
static void set_turns(struct offset_gen *g)
{
	const struct zone_cfg *z = &g->cfg->zone;

	g->turns = (struct zone_turns){ .start = g->start, .len = g->len, .pass_bytes = g->len };
	g->zbd = NULL;
	if (z->mode == ZONE_ZBD)
		g->kind = OFFSET_ZBD;
	if (z->mode != ZONE_STRIDED)
		return;
	g->kind = OFFSET_STRIDED;
	g->len = z->range < g->len ? z->range : g->len;
	set_sizes(g);
}

/* Returns the size of all random I/Os; 0 if they have several. */
static uint32_t random_block(const struct offset_cfg *cfg)
{
	unsigned dirs = offset_dirs(cfg);

	if (cfg->bsize.by_order)
		return bsize_entry_fixed(&cfg->bsize, BSIZE_RANDOM);
	return bsize_fixed(&cfg->bsize, dirs) ? bsize_min(&cfg->bsize, dirs) : 0;
}

void offset_init(struct offset_gen *g, const struct offset_cfg *cfg, uint64_t start, uint64_t len,
		 uint64_t seed)
{
	g->cfg = cfg;
	g->start = start;
	g->len = len;
	g->seed = seed;
	g->pass = 0;
	g->nsizes = 0;
	g->pair_offset = 0;
	g->pair_len = 0;
	g->shared_count = NULL;
	g->run_exists = false;
	g->block = random_block(cfg);
	g->permuted = has_permutation(cfg);
	set_sizes(g);
	g->order = g->kind = choose_order(g);
	set_turns(g);
	g->fast_kind = choose_fast_kind(g);
	set_permutation(g);
	for (unsigned i = 0; i < OFFSET_SKEWS && skewed(cfg); i++)
		g->skew[i] = (struct offset_skew){ NULL, NULL };
	begin_pass(g);
	offset_set_first(g, 0);
}

void offset_set_pass(struct offset_gen *g, uint64_t bytes)
{
	g->turns.pass_bytes = g->turns.pass_left = bytes;
	if (g->zbd)
		g->zbd->pass_bytes = g->zbd->pass_left = bytes;
}

void offset_restart(struct offset_gen *g, bool fresh_order)
{
	g->pass += fresh_order;
	begin_pass(g);
}

void offset_continue(struct offset_gen *g)
{
	g->turns.pass_left = g->turns.pass_bytes;
	if (g->zbd)
		g->zbd->pass_left = g->zbd->pass_bytes;
	if (g->kind == OFFSET_STRIDED || g->kind == OFFSET_ZBD)
		return;
	g->pass_left = offset_no_coverage(g->cfg) ? UINT64_MAX : g->len;
}

/* Returns the next sequential position. As in fio, a step forward beyond the range continues at its start,
   unless the I/O itself reached the end (then the pass is over); a step back beyond the start continues at
   the end, less the stride. */
static uint64_t step_offset(const struct offset_gen *g, uint64_t end)
{
	int64_t stride = g->cfg->rw_stride;
	uint64_t back = -(uint64_t)stride;

	if (stride >= 0 && end < g->len)
		return (uint64_t)stride < g->len - end ? end + (uint64_t)stride : 0;
	if (stride >= 0)
		return g->len;
	if (back <= end)
		return end - back;
	return back < g->len ? g->len - back : 0;
}

static bool next_sequential(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint64_t at = g->pos[dir], room = g->len - at;

	if (g->least[dir] > room)
		return false;
	*len = offset_draw_within(g, dir, false, room);
	*offset = at;
	g->pos[dir] = g->cfg->rw_stride ? step_offset(g, at + *len) : at + *len;
	return true;
}

static bool next_block(struct offset_gen *g, uint64_t *offset, uint32_t *len)
{
	uint64_t n = permute_next(&g->perm);

	if (n == UINT64_MAX)
		return false;
	*offset = n * g->block;
	*len = (uint32_t)g->block;
	return true;
}

static bool next_uniform(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	if (g->places[dir] == 0)
		return false;
	*offset = offset_draw_place(g, dir);
	*len = offset_draw_within(g, dir, true, g->len - *offset);
	return true;
}

static bool starts_group(struct offset_gen *g, enum io_dir dir)
{
	uint32_t percent = g->cfg->random_percent[dir];

	if (g->least_follow[dir] > g->len - g->pos[dir]) {
		g->pos[dir] = 0;
		return percent > 0;
	}
	if (g->group_left)
		return false;
	return percent == 100 || rng_below(&g->rng, 100) < percent;
}

/* Draws the next I/O of a group. As in fio the directions share the count, and each continues at its own
   position. A group that meets the end of the range continues at a new place. */
static bool next_of_group(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	bool random;

	if (g->places[dir] == 0 || g->pass_left < g->least[dir])
		return false;
	random = starts_group(g, dir);
	if (random)
		g->pos[dir] = offset_draw_start(g, dir);
	g->group_left = (g->group_left ? g->group_left : g->cfg->rw_nr) - 1;
	*offset = g->pos[dir];
	*len = offset_draw_within(g, dir, random, g->len - *offset);
	if (g->cfg->sequencer == RW_SEQ_SEQUENTIAL)
		g->pos[dir] += *len;
	g->pass_left -= *len < g->pass_left ? *len : g->pass_left;
	return true;
}

/* Draws an I/O. kind: g->kind, or the order inside a zone. */
static bool draw_offset(struct offset_gen *g, enum offset_kind kind, enum io_dir dir, uint64_t *offset,
			uint32_t *len)
{
	switch (kind) {
	case OFFSET_SEQUENTIAL:
		return next_sequential(g, dir, offset, len);
	case OFFSET_BLOCKS:
		return next_block(g, offset, len);
	case OFFSET_LISTED:
	case OFFSET_EXTENTS:
		return extents_next(g, dir, offset, len);
	case OFFSET_UNIFORM:
		return next_uniform(g, dir, offset, len);
	case OFFSET_GROUPS:
		return next_of_group(g, dir, offset, len);
	case OFFSET_SEQ_WRAP:
		return seq_wrap_next(g, dir, offset, len);
	case OFFSET_RUNS:
		return seq_wrap_next_of_run(g, dir, offset, len);
	case OFFSET_STRIDED:
		return strided_next(g, dir, offset, len);
	case OFFSET_ZBD:
		return zbd_next(g, dir, offset, len);
	case OFFSET_SKEWED: /* fast_kind only */
	case OFFSET_PAIRS:
		break;
	}
	return false;
}

bool offset_draw_order(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	return draw_offset(g, g->order, dir, offset, len);
}

bool offset_has_bulk(const struct offset_gen *g, unsigned dirs)
{
	bool single = (dirs & (dirs - 1)) == 0;

	return g->fast_kind != OFFSET_RUNS && g->fast_kind != OFFSET_PAIRS &&
	       (single || g->fast_kind == OFFSET_BLOCKS);
}

static unsigned take_blocks(struct offset_gen *g, uint64_t *offset, unsigned max)
{
	unsigned n = permute_ready(&g->perm);
	const uint64_t *block = g->perm.batch + g->perm.batch_pos;

	n = n < max ? n : max;
	for (unsigned i = 0; i < n; i++)
		offset[i] = g->start + block[i] * g->block;
	g->perm.batch_pos += n;
	return n;
}

static unsigned take_sequential(struct offset_gen *g, enum io_dir dir, uint64_t *offset, unsigned max)
{
	uint64_t at = g->pos[dir], len = g->fixed[dir];
	unsigned n = 0;

	for (; n < max && len <= g->len - at; at += len)
		offset[n++] = g->start + at;
	g->pos[dir] = at;
	return n;
}

static unsigned take_uniform(struct offset_gen *g, enum io_dir dir, uint64_t *offset, unsigned max)
{
	struct rng r = g->rng;

	for (unsigned i = 0; i < max; i++)
		offset[i] = g->start + rng_below(&r, g->places[dir]) * g->align[dir];
	g->rng = r;
	return max;
}

static unsigned take_skewed(struct offset_gen *g, enum io_dir dir, uint64_t *offset, unsigned max)
{
	const struct skew *s = g->skew[dir].skew;
	struct skew_batch *b = g->skew[dir].batch;
	uint64_t align = g->align[dir];

	for (unsigned i = 0; i < max; i++)
		offset[i] = g->start + skew_draw(s, b, &g->rng) * align;
	return max;
}

unsigned offset_next_bulk(struct offset_gen *g, enum io_dir dir, uint64_t *offset, unsigned max)
{
	switch (g->fast_kind) {
	case OFFSET_BLOCKS:
		return take_blocks(g, offset, max);
	case OFFSET_SEQUENTIAL:
		return take_sequential(g, dir, offset, max);
	case OFFSET_UNIFORM:
		return take_uniform(g, dir, offset, max);
	case OFFSET_SKEWED:
		return take_skewed(g, dir, offset, max);
	default:
		return 0;
	}
}

static bool next_of_pair(struct offset_gen *g, uint64_t *offset, uint32_t *len)
{
	if (!g->pair_len)
		return false;
	*offset = g->pair_offset;
	*len = g->pair_len;
	g->pair_len = 0;
	return true;
}

static bool next_of_pairs(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	if (dir == DIR_WRITE)
		return next_of_pair(g, offset, len);
	if (!draw_offset(g, g->kind, dir, offset, len))
		return false;
	*offset += g->start;
	g->pair_offset = *offset;
	g->pair_len = *len;
	return true;
}

/* Not inlined, so that it costs the other kinds nothing. */
static __attribute__((noinline)) bool next_of_fast_kind(struct offset_gen *g, enum io_dir dir,
							uint64_t *offset, uint32_t *len)
{
	if (g->fast_kind == OFFSET_PAIRS)
		return next_of_pairs(g, dir, offset, len);
	*len = g->fixed[dir];
	return take_skewed(g, dir, offset, 1);
}

bool offset_next_any(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	if (g->fast_kind >= OFFSET_SKEWED)
		return next_of_fast_kind(g, dir, offset, len);
	if (!draw_offset(g, g->kind, dir, offset, len))
		return false;
	*offset += g->start;
	return true;
}

bool offset_knows_drawn(const struct offset_gen *g)
{
	unsigned dirs = offset_dirs(g->cfg);

	if (g->kind == OFFSET_SEQUENTIAL)
		return (dirs & (dirs - 1)) == 0 && g->cfg->rw_stride == 0;
	return g->kind == OFFSET_BLOCKS;
}

bool offset_has_drawn(const struct offset_gen *g, uint64_t offset)
{
	uint64_t at = offset - g->start;

	assert(offset_knows_drawn(g));
	if (g->kind == OFFSET_BLOCKS)
		return permute_drawn(&g->perm, at / g->block);
	return at < g->pos[__builtin_ctz(offset_dirs(g->cfg))];
}
