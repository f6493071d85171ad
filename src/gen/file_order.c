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

static void draw(struct file_order *s)
{
	if (!s->nactive)
		return;
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
	if (s->kind != FILE_ORDER_RANDOM)
		return;
	s->nactive = s->files;
	for (uint32_t i = 0; i < s->files; i++)
		s->active[i] = s->position[i] = i;
	if (s->sum)
		add_up(s, 0);
	draw(s);
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
	free(s->weight);
	free(s->sum);
	free(s->active);
	free(s->position);
}

static void next_turn(struct file_order *s, uint32_t file)
{
	s->left = s->ios;
	if (s->kind == FILE_ORDER_RANDOM)
		draw(s);
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

uint32_t file_order_done(struct file_order *s, uint32_t file)
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
	if (file == s->next)
		next_turn(s, file);
	return s->kind == FILE_ORDER_RANDOM ? s->next : file_order_after(s, file);
}
