#include "file_order.h"

#include <stdlib.h>
#include <string.h>

/* Draws a file by weight: each active file covers a part of the sum that equals its weight. */
static uint32_t draw_weighed(struct file_order *s)
{
	uint64_t at = rng_below(&s->rng, s->sum[s->nactive - 1]);
	uint32_t lo = 0, hi = s->nactive - 1;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (at < s->sum[mid])
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Returns the file or, if it is done, the next one that is not. At least one file must not be done. */
static uint32_t not_done(struct file_order *s, uint32_t file)
{
	uint32_t found = file;

	while (s->successor[found] != found)
		found = s->successor[found];
	while (s->successor[file] != found && file != found) { /* shortens the next search */
		uint32_t next = s->successor[file];

		s->successor[file] = found;
		file = next;
	}
	return found;
}

static void draw_file(struct file_order *s)
{
	if (!s->nactive)
		return;
	if (s->skew) {
		s->next = not_done(s, (uint32_t)skew_draw(s->skew, s->batch, &s->rng));
		return;
	}
	if (s->nactive == 1)
		s->next = s->active[0];
	else
		s->next = s->active[s->sum ? draw_weighed(s) : rng_below(&s->rng, s->nactive)];
}

/* Computes the sums anew from this position on. */
static void add_up(struct file_order *s, uint32_t from)
{
	uint64_t sum = from ? s->sum[from - 1] : 0;

	for (uint32_t i = from; i < s->nactive; i++)
		s->sum[i] = sum += s->weight[s->active[i]];
}

void file_order_restart(struct file_order *s)
{
	s->next = 0;
	s->left = s->ios;
	if (!file_order_drawn(s->kind))
		return;
	s->nactive = s->files;
	for (uint32_t i = 0; i < s->files && s->skew; i++)
		s->successor[i] = i;
	for (uint32_t i = 0; i < s->files && s->active; i++)
		s->active[i] = s->position[i] = i;
	if (s->sum)
		add_up(s, 0);
	draw_file(s);
}

bool file_order_init(struct file_order *s, const struct file_order_cfg *cfg, uint32_t files, uint64_t seed)
{
	*s = (struct file_order){ .kind = cfg->kind, .files = files, .ios = cfg->ios ? cfg->ios : 1 };
	rng_init(&s->rng, seed);
	if (s->kind == FILE_ORDER_RANDOM) {
		s->active = calloc(files, sizeof(*s->active));
		s->position = calloc(files, sizeof(*s->position));
		if (!s->active || !s->position)
			return false;
	}
	if (file_order_skewed(s->kind)) {
		s->skew = malloc(sizeof(*s->skew));
		s->successor = calloc(files, sizeof(*s->successor));
		s->batch = calloc(1, sizeof(*s->batch));
		if (!s->skew || !s->batch || !s->successor)
			return false;
		skew_init(s->skew, &cfg->skew, files);
	}
	file_order_restart(s);
	return true;
}

bool file_order_set_weights(struct file_order *s, const uint32_t *weight)
{
	s->weight = calloc(s->files, sizeof(*s->weight));
	s->sum = calloc(s->files, sizeof(*s->sum));
	if (!s->weight || !s->sum)
		return false;
	memcpy(s->weight, weight, s->files * sizeof(*weight));
	file_order_restart(s);
	return true;
}

void file_order_fini(struct file_order *s)
{
	free(s->skew);
	free(s->batch);
	free(s->successor);
	free(s->weight);
	free(s->sum);
	free(s->active);
	free(s->position);
}

static void next_turn(struct file_order *s, uint32_t file)
{
	s->left = s->ios;
	if (file_order_drawn(s->kind))
		draw_file(s);
	else
		s->next = file_order_after(s, file);
}

void file_order_use_turn(struct file_order *s, uint32_t file)
{
	if (file != s->next) { /* the file whose turn it was is busy */
		s->next = file;
		s->left = s->ios;
	}
	if (s->kind != FILE_ORDER_SEQUENTIAL && --s->left == 0)
		next_turn(s, file);
}

void file_order_repeat(struct file_order *s, uint32_t file)
{
	s->next = file;
	s->left = s->left == s->ios ? 1 : s->left + 1;
}

/* Records in the list of active files that this one is done. */
static void remove_active(struct file_order *s, uint32_t file)
{
	if (s->kind == FILE_ORDER_RANDOM && s->position[file] < s->nactive &&
	    s->active[s->position[file]] == file) {
		uint32_t last = s->active[--s->nactive], at = s->position[file];

		s->active[at] = last;
		s->position[last] = at;
		s->active[s->nactive] = file;
		s->position[file] = s->nactive;
		if (s->sum)
			add_up(s, at);
	}
}

uint32_t file_order_done(struct file_order *s, uint32_t file)
{
	remove_active(s, file);
	if (s->skew && s->nactive && s->successor[file] == file) {
		s->nactive--;
		s->successor[file] = s->nactive ? file_order_after(s, file) : file;
	}
	if (file == s->next)
		next_turn(s, file);
	return file_order_drawn(s->kind) ? s->next : file_order_after(s, file);
}
