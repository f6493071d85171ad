#include <assert.h>
#include "offset.h"

#define REDRAWS 64
/* A cell of a list of sizes is at most so many times the largest size, and at most this part of the range. */
#define CELL_TIMES 16
#define CELL_PART  8
/* More than one cell is kept open of a size if the rest of the pass needs so many times more. */
#define SPARE_TIMES 4
/* What it needs shows only after some cells: so many more are taken to have been touched. */
#define TOUCHED_MIN 12

static unsigned drawn_dirs(const struct offset_cfg *cfg)
{
	/* Of a trimwrite pair the write repeats the trim. */
	return cfg->rw & RW_TRIMWRITE ? RW_TRIM : cfg->rw & RW_DIRS;
}

/* As in fio, a blockalign other than the block size means uniform draws. */
static bool aligned_elsewhere(const struct offset_gen *g)
{
	for (unsigned d = 0; d < DIR_DATA; d++)
		if (drawn_dirs(g->cfg) & 1u << d && g->cfg->ba[d] && g->cfg->ba[d] != g->least[d])
			return true;
	return false;
}

static enum offset_kind choose_kind(const struct offset_gen *g)
{
	const struct offset_cfg *cfg = g->cfg;
	struct bsize_share list[OFFSET_SIZES];

	if (!(cfg->rw & RW_RANDOM))
		return OFFSET_SEQUENTIAL;
	if (cfg->rw_nr > 1)
		return OFFSET_GROUPS;
	if (cfg->norandommap || aligned_elsewhere(g))
		return OFFSET_UNIFORM;
	if (g->block)
		return OFFSET_BLOCKS;
	return bsize_list(&cfg->bsize, drawn_dirs(cfg), list, OFFSET_SIZES) ? OFFSET_LISTED : OFFSET_CELLS;
}

static enum offset_kind choose_quick(const struct offset_gen *g)
{
	bool quick = g->kind == OFFSET_BLOCKS || (g->kind == OFFSET_SEQUENTIAL && g->cfg->rw_stride == 0);

	for (unsigned d = 0; d < DIR_DATA; d++)
		if (drawn_dirs(g->cfg) & 1u << d && !g->fixed[d])
			quick = false;
	return quick && !(g->cfg->rw & RW_TRIMWRITE) ? g->kind : OFFSET_UNIFORM;
}

static void set_sizes(struct offset_gen *g)
{
	const struct offset_cfg *cfg = g->cfg;

	for (unsigned d = 0; d < DIR_DATA; d++) {
		unsigned bit = 1u << d;

		g->least[d] = bsize_min(&cfg->bsize, bit);
		g->fixed[d] = bsize_fixed(&cfg->bsize, bit) ? g->least[d] : 0;
		g->align[d] = cfg->ba[d] ? cfg->ba[d] : g->least[d];
		g->slots[d] = 0;
		if (g->align[d] && g->least[d] <= g->len)
			g->slots[d] = (g->len - g->least[d]) / g->align[d] + 1;
	}
}

/* Cells are as large as the largest size; a tail smaller than the smallest one is left alone. */
static void set_cells(struct offset_gen *g)
{
	const struct bsize_cfg *sizes = &g->cfg->bsize;
	uint64_t least = bsize_min(sizes, drawn_dirs(g->cfg)), tail;

	g->cell_bytes = bsize_max(sizes, drawn_dirs(g->cfg));
	tail = g->len % (sizes->unaligned ? g->cell_bytes : least);
	g->usable = tail < least ? g->len - tail : g->len;
}

/* The smallest larger size that is a multiple of size i, else i itself. */
static unsigned parent_of(const struct bsize_share *list, unsigned n, unsigned i)
{
	for (unsigned k = i + 1; k < n; k++)
		if (list[k].bytes % list[i].bytes == 0)
			return k;
	return i;
}

/* The multiple of the largest size that leaves least over of the sizes that cells are cut into. */
static uint32_t best_cell(const struct offset_gen *g, const struct bsize_share *list)
{
	uint64_t largest = list[g->nsizes - 1].bytes, best = largest, best_cost = UINT64_MAX;

	for (uint64_t cell = largest; cell <= CELL_TIMES * largest && cell <= UINT32_MAX; cell += largest) {
		uint64_t cost = 0;

		if (cell > largest && cell > g->usable / CELL_PART)
			break;
		for (unsigned i = 0; i < g->nsizes; i++)
			if (g->size[i].parent == i && cell % list[i].bytes)
				cost += ((uint64_t)list[i].percent << 20) / (cell / list[i].bytes);
		if (cost < best_cost) {
			best = cell;
			best_cost = cost;
		}
	}
	return (uint32_t)best;
}

/* Sizes share the open cells as they share the draws; pieces as large as a cell need none. */
static void share_open(struct offset_gen *g, const struct bsize_share *list)
{
	uint32_t cut = 0;

	for (unsigned i = 0; i < g->nsizes; i++)
		cut += list[i].bytes < g->cell_bytes ? list[i].percent : 0;
	for (unsigned i = 0; i < g->nsizes; i++) {
		struct offset_size *z = &g->size[i];

		z->most = 1;
		if (z->bytes < g->cell_bytes)
			z->most += (uint8_t)((OFFSET_OPEN - g->nsizes) * list[i].percent / cut);
	}
}

static void set_list(struct offset_gen *g)
{
	struct bsize_share list[OFFSET_SIZES];

	g->nsizes = bsize_list(&g->cfg->bsize, drawn_dirs(g->cfg), list, OFFSET_SIZES);
	g->usable = g->len - g->len % list[0].bytes;
	for (unsigned i = 0; i < g->nsizes; i++) {
		g->size[i].bytes = list[i].bytes;
		g->size[i].dirs = (uint8_t)list[i].dirs;
		g->size[i].parent = (uint8_t)parent_of(list, g->nsizes, i);
	}
	g->cell_bytes = best_cell(g, list);
	for (unsigned i = 0; i < g->nsizes; i++) {
		struct offset_size *z = &g->size[i], *parent = &g->size[z->parent];

		z->pieces = (parent == z ? g->cell_bytes : parent->bytes) / z->bytes;
	}
	share_open(g, list);
}

static void set_permutation(struct offset_gen *g)
{
	uint64_t n = 0;

	if (g->kind == OFFSET_CELLS || g->kind == OFFSET_LISTED) {
		if (g->kind == OFFSET_CELLS)
			set_cells(g);
		else
			set_list(g);
		n = g->usable / g->cell_bytes + (g->usable % g->cell_bytes != 0);
	} else if (g->block && (g->kind == OFFSET_BLOCKS || g->kind == OFFSET_GROUPS)) {
		n = g->len / g->block;
	}
	permute_init(&g->perm, n, 0);
}

/* Takes the next cell of the pass into c; false when there is none. */
static bool open_cell(struct offset_gen *g, struct offset_cell *c)
{
	uint64_t n = permute_next(&g->perm);

	if (n == UINT64_MAX)
		return false;
	c->at = n * g->cell_bytes;
	c->left = g->usable - c->at < g->cell_bytes ? (uint32_t)(g->usable - c->at) : g->cell_bytes;
	return true;
}

static void begin_cells(struct offset_gen *g)
{
	while (g->open < OFFSET_TURNS && open_cell(g, &g->cell[g->open]))
		g->open++;
}

static void begin_list(struct offset_gen *g)
{
	g->untouched = g->perm.n;
	g->free = 0;
	for (unsigned i = 0; i < OFFSET_OPEN; i++)
		g->cell[i].next = (uint8_t)(i + 1);
	for (unsigned i = 0; i < g->nsizes; i++) {
		g->size[i].open = 0;
		g->size[i].taken = 0;
	}
}

static void begin_pass(struct offset_gen *g)
{
	uint64_t key = rng_mix64(g->seed + rng_mix64(g->pass));

	rng_init(&g->rng, key);
	permute_restart(&g->perm, key);
	for (unsigned d = 0; d < DIR_DATA; d++)
		g->pos[d] = 0;
	g->group_left = 0;
	g->pass_left = g->cfg->norandommap ? UINT64_MAX : g->len;
	g->open = g->turn = 0;
	if (g->kind == OFFSET_CELLS)
		begin_cells(g);
	else if (g->kind == OFFSET_LISTED)
		begin_list(g);
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
	g->block = bsize_fixed(&cfg->bsize, drawn_dirs(cfg)) ? bsize_min(&cfg->bsize, drawn_dirs(cfg)) : 0;
	set_sizes(g);
	g->kind = choose_kind(g);
	g->quick = choose_quick(g);
	set_permutation(g);
	begin_pass(g);
}

void offset_restart(struct offset_gen *g, bool fresh_order)
{
	g->pass += fresh_order;
	begin_pass(g);
}

/* A size that fits into room, which holds the smallest: as in fio, drawn anew until it does. */
static uint32_t draw_within(struct offset_gen *g, enum io_dir dir, uint64_t room)
{
	if (g->fixed[dir])
		return g->fixed[dir];
	for (unsigned i = 0; i < REDRAWS; i++) {
		uint32_t len = bsize_draw(&g->cfg->bsize, dir, &g->rng);

		if (len <= room)
			return len;
	}
	return g->least[dir];
}

/* As in fio, a step forward that leaves the range goes on at its start, unless the I/O itself ended it (then
   the pass is over), and a step back beyond the start goes on at the end, less the stride. */
static uint64_t step(const struct offset_gen *g, uint64_t end)
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
	*len = draw_within(g, dir, room);
	*offset = at;
	g->pos[dir] = g->cfg->rw_stride ? step(g, at + *len) : at + *len;
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

/* A piece of the cell. Sizes of any length leave nothing smaller than the smallest where that can be helped.
 */
static uint32_t cut(struct offset_gen *g, enum io_dir dir, uint64_t room)
{
	uint32_t len = g->fixed[dir] ? g->fixed[dir] : bsize_draw(&g->cfg->bsize, dir, &g->rng);

	if (len >= room)
		return (uint32_t)room;
	if (!g->cfg->bsize.unaligned || room - len >= g->least[dir])
		return len;
	if (room <= g->cfg->bsize.hi[dir])
		return (uint32_t)room;
	return room - g->least[dir] >= g->least[dir] ? (uint32_t)(room - g->least[dir]) : len;
}

static bool next_of_cell(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	struct offset_cell *c;

	if (g->open == 0)
		return false;
	g->turn = g->turn < g->open ? g->turn : 0;
	c = &g->cell[g->turn];
	*offset = c->at;
	*len = cut(g, dir, c->left);
	c->at += *len;
	c->left -= *len;
	if (c->left == 0 && !open_cell(g, c))
		*c = g->cell[--g->open];
	else
		g->turn++;
	return true;
}

/* Puts a cell first in the ring of its size. */
static void ring_add(struct offset_gen *g, struct offset_size *z, uint8_t cell)
{
	if (z->open++ == 0)
		z->last = cell;
	else
		g->cell[cell].next = g->cell[z->last].next;
	g->cell[z->last].next = cell;
}

static void ring_drop_first(struct offset_gen *g, struct offset_size *z)
{
	g->cell[z->last].next = g->cell[g->cell[z->last].next].next;
	z->open--;
}

static void release(struct offset_gen *g, uint8_t cell)
{
	g->cell[cell].next = g->free;
	g->free = cell;
	g->open--;
}

/* Whether pieces of this size, and then the smallest ones, fill the room. */
static bool fills(const struct offset_gen *g, uint32_t bytes, uint32_t room)
{
	return bytes <= room && room % bytes % g->size[0].bytes == 0;
}

/* The size for the end of a cell or of the range: the largest that fits, of those that fill it if any do. */
static struct offset_size *size_for_rest(struct offset_gen *g, uint32_t room)
{
	unsigned fits = 0;

	for (unsigned i = g->nsizes; i-- > 0;) {
		if (fills(g, g->size[i].bytes, room))
			return &g->size[i];
		if (fits == 0 && g->size[i].bytes <= room)
			fits = i;
	}
	return &g->size[fits];
}

/* An untouched cell. The last one of the range may be shorter, and better for another size. */
static bool open_untouched(struct offset_gen *g, struct offset_size *z, uint8_t cell)
{
	struct offset_cell *c = &g->cell[cell];

	if (!open_cell(g, c))
		return false;
	g->untouched--;
	if (c->left < g->cell_bytes && !fills(g, z->bytes, c->left))
		z = size_for_rest(g, c->left);
	ring_add(g, z, cell);
	return true;
}

static bool take_piece(struct offset_gen *g, struct offset_size *z, uint64_t *offset, uint32_t *len);

/* One more cell of this size: a piece of the parent size, or an untouched cell. */
static bool open_for(struct offset_gen *g, struct offset_size *z)
{
	struct offset_size *parent = &g->size[z->parent];
	uint8_t cell = g->free;
	bool opened;

	if (g->open == OFFSET_OPEN)
		return false;
	g->open++;
	g->free = g->cell[cell].next;
	if (parent == z)
		opened = open_untouched(g, z, cell);
	else if ((opened = take_piece(g, parent, &g->cell[cell].at, &g->cell[cell].left)))
		ring_add(g, z, cell);
	if (!opened)
		release(g, cell);
	return opened;
}

/* Whether the rest of the pass will want enough of this size, if it goes on as before, to keep one more cell
   open: what is open of it at the end must be done by draws of other sizes. */
static bool worth_another(const struct offset_gen *g, const struct offset_size *z)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t touched = g->perm.n - g->untouched + TOUCHED_MIN;

	return (u128)touched * ((uint64_t)z->pieces * SPARE_TIMES * z->open) <= (u128)g->untouched * z->taken;
}

static void cut_piece(struct offset_cell *c, uint32_t bytes, bool front, uint64_t *offset, uint32_t *len)
{
	*len = c->left < bytes ? c->left : bytes;
	c->left -= *len;
	*offset = front ? c->at : c->at + c->left;
	c->at += front ? *len : 0;
}

/* A piece of this size from the next cell in turn; false if there is none. */
static bool take_piece(struct offset_gen *g, struct offset_size *z, uint64_t *offset, uint32_t *len)
{
	struct offset_cell *c;
	uint8_t first;

	if (z->open && z->open < z->most && worth_another(g, z))
		open_for(g, z);
	while (z->open == 0)
		if (!open_for(g, z))
			return false;
	first = g->cell[z->last].next;
	c = &g->cell[first];
	/* From both ends by turns: where one cell alone is open, neighbours do not follow each other. */
	cut_piece(c, z->bytes, z->taken & 1, offset, len);
	z->taken += z->taken < UINT32_MAX;
	if (c->left >= z->bytes) {
		z->last = first;
		return true;
	}
	ring_drop_first(g, z);
	if (c->left)
		ring_add(g, size_for_rest(g, c->left), first);
	else
		release(g, first);
	return true;
}

/* Nothing is left for the drawn size: the largest piece of those that its direction lists, else of all. */
static bool take_other(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	for (unsigned i = g->nsizes; i-- > 0;)
		if (g->size[i].dirs & 1u << dir && take_piece(g, &g->size[i], offset, len))
			return true;
	for (unsigned i = g->nsizes; i-- > 0;)
		if (take_piece(g, &g->size[i], offset, len))
			return true;
	return false;
}

static bool next_listed(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	uint32_t bytes = g->fixed[dir] ? g->fixed[dir] : bsize_draw(&g->cfg->bsize, dir, &g->rng);
	struct offset_size *z = g->size;

	while (z->bytes != bytes) {
		z++;
		assert(z < g->size + g->nsizes);
	}
	return take_piece(g, z, offset, len) || take_other(g, dir, offset, len);
}

static bool next_uniform(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	if (g->slots[dir] == 0)
		return false;
	*offset = rng_below(&g->rng, g->slots[dir]) * g->align[dir];
	*len = draw_within(g, dir, g->len - *offset);
	return true;
}

/* Where a group begins. Groups of one block size begin at each block once, and then anew. */
static uint64_t group_start(struct offset_gen *g, enum io_dir dir)
{
	uint64_t n;

	if (!g->block || g->cfg->norandommap || aligned_elsewhere(g))
		return rng_below(&g->rng, g->slots[dir]) * g->align[dir];
	n = permute_next(&g->perm);
	if (n == UINT64_MAX) {
		permute_restart(&g->perm, rng_u64(&g->rng));
		n = permute_next(&g->perm);
	}
	return n * g->block;
}

/* As in fio the directions share the count, and each continues at its own position. A group that meets the
   end of the range goes on elsewhere. */
static bool next_of_group(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	if (g->slots[dir] == 0 || g->pass_left < g->least[dir])
		return false;
	if (g->group_left == 0 || g->least[dir] > g->len - g->pos[dir])
		g->pos[dir] = group_start(g, dir);
	g->group_left = (g->group_left ? g->group_left : g->cfg->rw_nr) - 1;
	*offset = g->pos[dir];
	*len = draw_within(g, dir, g->len - *offset);
	if (g->cfg->sequencer == RW_SEQ_SEQUENTIAL)
		g->pos[dir] += *len;
	g->pass_left -= *len < g->pass_left ? *len : g->pass_left;
	return true;
}

static bool draw(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	switch (g->kind) {
	case OFFSET_SEQUENTIAL:
		return next_sequential(g, dir, offset, len);
	case OFFSET_BLOCKS:
		return next_block(g, offset, len);
	case OFFSET_LISTED:
		return next_listed(g, dir, offset, len);
	case OFFSET_CELLS:
		return next_of_cell(g, dir, offset, len);
	case OFFSET_UNIFORM:
		return next_uniform(g, dir, offset, len);
	case OFFSET_GROUPS:
		return next_of_group(g, dir, offset, len);
	}
	return false;
}

bool offset_next_any(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	bool pairs = g->cfg->rw & RW_TRIMWRITE;

	if (pairs && dir == DIR_WRITE) {
		*offset = g->pair_offset;
		*len = g->pair_len;
		return g->pair_len != 0;
	}
	if (!draw(g, dir, offset, len))
		return false;
	*offset += g->start;
	if (pairs) {
		g->pair_offset = *offset;
		g->pair_len = *len;
	}
	return true;
}
