#include "offset_parts.h"

#include <assert.h>
#include "scale.h"

/* Limits of the extent of a list of sizes: this many times the largest size, and this part of the range. */
#define EXTENT_TIMES 16
#define EXTENT_PART  8
/* mixed_extent() tries this many extent sizes, divided by the square of the number of sizes. */
#define EXTENT_TRIES 65536
/* A size keeps one more extent open if the rest of the pass needs this many times more of it. */
#define SPARE_TIMES 4
/* The need is uncertain after few extents, so needs_another_extent() counts this many more as touched. */
#define TOUCHED_MIN 12

/* Extents are as large as the largest size; a tail smaller than the smallest size is never used. */
static void set_extents(struct offset_gen *g)
{
	const struct bsize_cfg *sizes = &g->cfg->bsize;
	uint64_t least = bsize_min(sizes, offset_dirs(g->cfg)), tail;

	g->extent_bytes = bsize_max(sizes, offset_dirs(g->cfg));
	tail = g->len % (sizes->unaligned ? g->extent_bytes : least);
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

/* Adds the pieces that fill the rest of extents. Returns false if none fill it. The order is that of
   size_for_rest. */
static bool add_rest(const struct offset_gen *g, struct rest_pieces *s, uint32_t rest, uint64_t extents)
{
	unsigned k = g->nsizes;

	while (k-- > 0) {
		uint32_t bytes = g->size[k].bytes;

		if (!fills(g, bytes, rest))
			continue;
		s->of[k] += extents * (rest / bytes);
		s->of[0] += extents * (rest % bytes / g->size[0].bytes);
		return true;
	}
	return false;
}

/* Returns whether extents of this size waste nothing: other sizes fill the rest that a size leaves, and these
   are drawn at least twice as often as that, so that few extents stay open. */
static bool no_waste(const struct offset_gen *g, const struct bsize_share *list, uint32_t extent)
{
	struct rest_pieces s = { { 0 } };

	for (unsigned i = 0; i < g->nsizes; i++) {
		uint32_t pieces = extent / list[i].bytes, rest = extent % list[i].bytes;

		if (rest && g->size[i].parent == i &&
		    !add_rest(g, &s, rest, (uint64_t)(list[i].percent * SHARE_ONE) / pieces))
			return false;
	}
	for (unsigned i = 0; i < g->nsizes; i++)
		if (2 * s.of[i] > (uint64_t)(list[i].percent * SHARE_ONE))
			return false;
	return true;
}

/* Returns the smallest extent whose rests other sizes fill; 0 if it finds none. best_extent() calls it if
   every multiple of the largest size leaves rests. */
static uint32_t mixed_extent(const struct offset_gen *g, const struct bsize_share *list)
{
	uint64_t largest = list[g->nsizes - 1].bytes, unit = list[0].bytes,
		 max_bytes = EXTENT_TIMES * largest;
	unsigned tries = EXTENT_TRIES / (g->nsizes * g->nsizes);

	for (unsigned i = 1; i < g->nsizes; i++)
		unit = common_divisor(list[i].bytes, unit);
	if (max_bytes > g->usable / EXTENT_PART)
		max_bytes = g->usable / EXTENT_PART;
	for (uint64_t extent = largest; extent <= max_bytes && extent <= UINT32_MAX && tries--;
	     extent += unit)
		if (no_waste(g, list, (uint32_t)extent))
			return (uint32_t)extent;
	return 0;
}

/* Returns the multiple of the largest size that leaves the smallest rests. */
static uint32_t best_extent(const struct offset_gen *g, const struct bsize_share *list)
{
	uint64_t largest = list[g->nsizes - 1].bytes, best = largest, best_cost = UINT64_MAX;
	uint32_t mixed = 0;

	for (uint64_t extent = largest; extent <= EXTENT_TIMES * largest && extent <= UINT32_MAX;
	     extent += largest) {
		uint64_t cost = 0;

		if (extent > largest && extent > g->usable / EXTENT_PART)
			break;
		for (unsigned i = 0; i < g->nsizes; i++)
			if (g->size[i].parent == i && extent % list[i].bytes)
				cost += (uint64_t)(list[i].percent * (1 << 20)) / (extent / list[i].bytes);
		if (cost < best_cost) {
			best = extent;
			best_cost = cost;
		}
	}
	if (best_cost)
		mixed = mixed_extent(g, list);
	return mixed ? mixed : (uint32_t)best;
}

/* Distributes the open extents among the sizes in proportion to their draws. A size as large as an extent
   needs none. */
static void share_open(struct offset_gen *g, const struct bsize_share *list)
{
	double cut = 0;

	for (unsigned i = 0; i < g->nsizes; i++)
		cut += list[i].bytes < g->extent_bytes ? list[i].percent : 0;
	for (unsigned i = 0; i < g->nsizes; i++) {
		struct offset_size *z = &g->size[i];

		z->open_max = 1;
		if (z->bytes < g->extent_bytes)
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
	g->extent_bytes = best_extent(g, list);
	for (unsigned i = 0; i < g->nsizes; i++) {
		struct offset_size *z = &g->size[i], *parent = &g->size[z->parent];

		z->pieces = (parent == z ? g->extent_bytes : parent->bytes) / z->bytes;
	}
	share_open(g, list);
}

/* Takes the next extent of the pass into c. Returns false if none is left. */
static bool open_extent(struct offset_gen *g, struct offset_extent *c)
{
	uint64_t n = permute_next(&g->perm);

	if (n == UINT64_MAX)
		return false;
	c->at = n * g->extent_bytes;
	c->left = g->usable - c->at < g->extent_bytes ? (uint32_t)(g->usable - c->at) : g->extent_bytes;
	return true;
}

static void begin_extents(struct offset_gen *g)
{
	while (g->open < OFFSET_TURNS && open_extent(g, &g->extent[g->open]))
		g->open++;
}

static void begin_list(struct offset_gen *g)
{
	g->untouched = g->perm.n;
	g->free = 0;
	for (unsigned i = 0; i < OFFSET_OPEN; i++)
		g->extent[i].next = (uint8_t)(i + 1);
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

static bool next_of_extent(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	struct offset_extent *c;

	if (g->open == 0)
		return false;
	g->turn = g->turn < g->open ? g->turn : 0;
	c = &g->extent[g->turn];
	*offset = c->at;
	*len = draw_length(g, dir, c->left);
	c->at += *len;
	c->left -= *len;
	if (c->left == 0 && !open_extent(g, c))
		*c = g->extent[--g->open];
	else
		g->turn++;
	return true;
}

/* Inserts an extent at the front of the ring of its size. */
static void ring_add(struct offset_gen *g, struct offset_size *z, uint8_t extent)
{
	if (z->open++ == 0)
		z->last = extent;
	else
		g->extent[extent].next = g->extent[z->last].next;
	g->extent[z->last].next = extent;
}

/* Inserts the rest of an extent at the end of the ring: its neighbour has just been cut. */
static void ring_add_last(struct offset_gen *g, struct offset_size *z, uint8_t extent)
{
	ring_add(g, z, extent);
	z->last = extent;
}

static void ring_drop_first(struct offset_gen *g, struct offset_size *z)
{
	g->extent[z->last].next = g->extent[g->extent[z->last].next].next;
	z->open--;
}

static void release(struct offset_gen *g, uint8_t extent)
{
	g->extent[extent].next = g->free;
	g->free = extent;
	g->open--;
}

/* Chooses the size for the rest of an extent or of the range: the largest that fills it, else the largest
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

/* Opens an untouched extent. The last extent of the range may be shorter, and then another size may fit
   better. */
static bool open_untouched(struct offset_gen *g, struct offset_size *z, uint8_t extent)
{
	struct offset_extent *c = &g->extent[extent];

	if (!open_extent(g, c))
		return false;
	g->untouched--;
	if (c->left < g->extent_bytes && !fills(g, z->bytes, c->left))
		z = size_for_rest(g, c->left);
	ring_add(g, z, extent);
	return true;
}

static bool take_piece(struct offset_gen *g, struct offset_size *z, uint64_t *offset, uint32_t *len);

/* Opens one more extent of this size: a piece of the parent size, or an untouched extent. */
static bool open_for(struct offset_gen *g, struct offset_size *z)
{
	struct offset_size *parent = &g->size[z->parent];
	uint8_t extent = g->free;
	bool opened;

	if (g->open == OFFSET_OPEN)
		return false;
	g->open++;
	g->free = g->extent[extent].next;
	if (parent == z)
		opened = open_untouched(g, z, extent);
	else if ((opened = take_piece(g, parent, &g->extent[extent].at, &g->extent[extent].left)))
		ring_add(g, z, extent);
	if (!opened)
		release(g, extent);
	return opened;
}

/* Returns whether the rest of the pass will probably need enough of this size to keep one more extent open.
   Extents that are open at the end are used up by draws of other sizes. */
static bool needs_another_extent(const struct offset_gen *g, const struct offset_size *z)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t touched = g->perm.n - g->untouched + TOUCHED_MIN;

	return (u128)touched * ((uint64_t)z->pieces * SPARE_TIMES * z->open) <= (u128)g->untouched * z->taken;
}

static void cut_piece(struct offset_extent *c, uint32_t bytes, bool front, uint64_t *offset, uint32_t *len)
{
	*len = c->left < bytes ? c->left : bytes;
	c->left -= *len;
	*offset = front ? c->at : c->at + c->left;
	c->at += front ? *len : 0;
}

/* Takes a piece of this size from the next extent in turn. Returns false if there is none. */
static bool take_piece(struct offset_gen *g, struct offset_size *z, uint64_t *offset, uint32_t *len)
{
	struct offset_extent *c;
	uint8_t first;

	if (z->open && z->open < z->open_max && needs_another_extent(g, z))
		open_for(g, z);
	while (z->open == 0)
		if (!open_for(g, z))
			return false;
	first = g->extent[z->last].next;
	c = &g->extent[first];
	/* Pieces come from both ends of an extent in turn. So neighbours do not follow each other even if
	   only one extent is open. */
	cut_piece(c, z->bytes, z->taken & 1, offset, len);
	z->taken += z->taken < UINT32_MAX;
	if (c->left >= z->bytes) {
		z->last = first;
		return true;
	}
	ring_drop_first(g, z);
	if (c->left)
		ring_add_last(g, size_for_rest(g, c->left), first);
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

uint64_t extents_init(struct offset_gen *g)
{
	if (g->order == OFFSET_EXTENTS)
		set_extents(g);
	else
		set_list(g);
	return g->usable / g->extent_bytes + (g->usable % g->extent_bytes != 0);
}

void extents_begin(struct offset_gen *g)
{
	g->open = g->turn = 0;
	if (g->order == OFFSET_EXTENTS)
		begin_extents(g);
	else
		begin_list(g);
}

bool extents_next(struct offset_gen *g, enum io_dir dir, uint64_t *offset, uint32_t *len)
{
	return g->order == OFFSET_EXTENTS ? next_of_extent(g, dir, offset, len)
					  : next_listed(g, dir, offset, len);
}
