#include "offset_parts.h"

#include <assert.h>
#include "scale.h"

/* Limits of the cell of a list of sizes: this many times the largest size, and this part of the range. */
#define CELL_TIMES 16
#define CELL_PART  8
/* mixed_cell() tries this many cell sizes, divided by the square of the number of sizes. */
#define CELL_TRIES 65536
/* A size keeps one more cell open if the rest of the pass needs this many times more of it. */
#define SPARE_TIMES 4
/* The need is uncertain after few cells, so needs_another_cell() counts this many more as touched. */
#define TOUCHED_MIN 12

/* Cells are as large as the largest size; a tail smaller than the smallest size is never used. */
static void set_cells(struct offset_gen *g)
{
	const struct bsize_cfg *sizes = &g->cfg->bsize;
	uint64_t least = bsize_min(sizes, offset_dirs(g->cfg)), tail;

	g->cell_bytes = bsize_max(sizes, offset_dirs(g->cfg));
	tail = g->len % (sizes->unaligned ? g->cell_bytes : least);
	g->usable = tail < least ? g->len - tail : g->len;
}

/* Returns the smallest larger size that is a multiple of size i, else i itself. */
static unsigned parent_of(const struct bsize_share *list, unsigned n, unsigned i)
{
	for (unsigned k = i + 1; k < n; k++)
		if (list[k].bytes % list[i].bytes == 0)
			return k;
	return i;
}

/* Returns whether pieces of this size, followed by pieces of the smallest size, fill the room. */
static bool fills(const struct offset_gen *g, uint32_t bytes, uint32_t room)
{
	return bytes <= room && room % bytes % g->size[0].bytes == 0;
}

/* For each size, how many pieces of it fill the rests of other sizes, as a share of all draws. */
#define SHARE_ONE ((uint64_t)1 << 20)
struct rest_pieces {
	uint64_t of[OFFSET_SIZES];
};

/* Adds the pieces that fill the rest of cells. Returns false if none fill it. The order is that of
   size_for_rest. */
static bool add_rest(const struct offset_gen *g, struct rest_pieces *s, uint32_t rest, uint64_t cells)
{
	unsigned k = g->nsizes;

	while (k-- > 0) {
		uint32_t bytes = g->size[k].bytes;

		if (!fills(g, bytes, rest))
			continue;
		s->of[k] += cells * (rest / bytes);
		s->of[0] += cells * (rest % bytes / g->size[0].bytes);
		return true;
	}
	return false;
}

/* Returns whether cells of this size waste nothing: other sizes fill the rest that a size leaves, and these
   are drawn at least twice as often as that, so that few cells stay open. */
static bool no_waste(const struct offset_gen *g, const struct bsize_share *list, uint32_t cell)
{
	struct rest_pieces s = { { 0 } };

	for (unsigned i = 0; i < g->nsizes; i++) {
		uint32_t pieces = cell / list[i].bytes, rest = cell % list[i].bytes;

		if (rest && g->size[i].parent == i &&
		    !add_rest(g, &s, rest, list[i].percent * SHARE_ONE / pieces))
			return false;
	}
	for (unsigned i = 0; i < g->nsizes; i++)
		if (2 * s.of[i] > list[i].percent * SHARE_ONE)
			return false;
	return true;
}

/* Returns the smallest cell whose rests other sizes fill; 0 if it finds none. best_cell() calls it if every
   multiple of the largest size leaves rests. */
static uint32_t mixed_cell(const struct offset_gen *g, const struct bsize_share *list)
{
	uint64_t largest = list[g->nsizes - 1].bytes, unit = list[0].bytes, max_bytes = CELL_TIMES * largest;
	unsigned tries = CELL_TRIES / (g->nsizes * g->nsizes);

	for (unsigned i = 1; i < g->nsizes; i++)
		unit = common_divisor(list[i].bytes, unit);
	if (max_bytes > g->usable / CELL_PART)
		max_bytes = g->usable / CELL_PART;
	for (uint64_t cell = largest; cell <= max_bytes && cell <= UINT32_MAX && tries--; cell += unit)
		if (no_waste(g, list, (uint32_t)cell))
			return (uint32_t)cell;
	return 0;
}

/* Returns the multiple of the largest size that leaves the smallest rests. */
static uint32_t best_cell(const struct offset_gen *g, const struct bsize_share *list)
{
	uint64_t largest = list[g->nsizes - 1].bytes, best = largest, best_cost = UINT64_MAX;
	uint32_t mixed = 0;

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
	if (best_cost)
		mixed = mixed_cell(g, list);
	return mixed ? mixed : (uint32_t)best;
}

/* Distributes the open cells among the sizes in proportion to their draws. A size as large as a cell needs
   none. */
static void share_open(struct offset_gen *g, const struct bsize_share *list)
{
	uint32_t cut = 0;

	for (unsigned i = 0; i < g->nsizes; i++)
		cut += list[i].bytes < g->cell_bytes ? list[i].percent : 0;
	for (unsigned i = 0; i < g->nsizes; i++) {
		struct offset_size *z = &g->size[i];

		z->open_max = 1;
		if (z->bytes < g->cell_bytes)
			z->open_max += (uint8_t)((OFFSET_OPEN - g->nsizes) * list[i].percent / cut);
	}
}

static void set_list(struct offset_gen *g)
{
	struct bsize_share list[OFFSET_SIZES];

	g->nsizes = bsize_list(&g->cfg->bsize, offset_dirs(g->cfg), list, OFFSET_SIZES);
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

/* Takes the next cell of the pass into c. Returns false if none is left. */
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

/* Draws the length of a piece. With arbitrary lengths it avoids a rest smaller than the smallest size
   where possible. */
static uint32_t draw_length(struct offset_gen *g, enum io_dir dir, uint64_t room)
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
	*len = draw_length(g, dir, c->left);
	c->at += *len;
	c->left -= *len;
	if (c->left == 0 && !open_cell(g, c))
		*c = g->cell[--g->open];
	else
		g->turn++;
	return true;
}

/* Inserts a cell at the front of the ring of its size. */
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

/* Chooses the size for the rest of a cell or of the range: the largest that fills it, else the largest
   that fits. */
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

/* Opens an untouched cell. The last cell of the range may be shorter, and then another size may fit
   better. */
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

/* Opens one more cell of this size: a piece of the parent size, or an untouched cell. */
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

/* Returns whether the rest of the pass will probably need enough of this size to keep one more cell open.
   Cells that are open at the end are used up by draws of other sizes. */
static bool needs_another_cell(const struct offset_gen *g, const struct offset_size *z)
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

/* Takes a piece of this size from the next cell in turn. Returns false if there is none. */
static bool take_piece(struct offset_gen *g, struct offset_size *z, uint64_t *offset, uint32_t *len)
{
	struct offset_cell *c;
	uint8_t first;

	if (z->open && z->open < z->open_max && needs_another_cell(g, z))
		open_for(g, z);
	while (z->open == 0)
		if (!open_for(g, z))
			return false;
	first = g->cell[z->last].next;
	c = &g->cell[first];
	/* Pieces come from both ends of a cell in turn. So neighbours do not follow each other even if only
	   one cell is open. */
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

/* For a drawn size that is used up: takes a piece of the largest size that the direction lists, else of any
   size. */
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

uint64_t cells_init(struct offset_gen *g)
{
	if (g->order == OFFSET_CELLS)
		set_cells(g);
	else
		set_list(g);
	return g->usable / g->cell_bytes + (g->usable % g->cell_bytes != 0);
}

void cells_begin(struct offset_gen *g)
{
	g->open = g->turn = 0;
	if (g->order == OFFSET_CELLS)
		begin_cells(g);
	else
		begin_list(g);
}

bool cells_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	return g->order == OFFSET_CELLS ? next_of_cell(g, dir, offset, len)
					: next_listed(g, dir, offset, len);
}
