#include "service.h"

#include <stdlib.h>

static void draw(struct service *s)
{
	if (s->nalive)
		s->next = s->alive[s->nalive > 1 ? rng_below(&s->rng, s->nalive) : 0];
}

void service_restart(struct service *s)
{
	s->next = 0;
	s->left = s->ios;
	if (s->kind != SERVICE_RANDOM)
		return;
	s->nalive = s->files;
	for (uint32_t i = 0; i < s->files; i++)
		s->alive[i] = s->place[i] = i;
	draw(s);
}

bool service_init(struct service *s, const struct service_cfg *cfg, uint32_t files, uint64_t seed)
{
	*s = (struct service){ .kind = cfg->kind, .files = files, .ios = cfg->ios ? cfg->ios : 1 };
	rng_init(&s->rng, seed);
	if (s->kind == SERVICE_RANDOM) {
		s->alive = calloc(files, sizeof(*s->alive));
		s->place = calloc(files, sizeof(*s->place));
		if (!s->alive || !s->place)
			return false;
	}
	service_restart(s);
	return true;
}

void service_fini(struct service *s)
{
	free(s->alive);
	free(s->place);
}

static void next_turn(struct service *s, uint32_t file)
{
	s->left = s->ios;
	if (s->kind == SERVICE_RANDOM)
		draw(s);
	else
		s->next = service_after(s, file);
}

void service_turn(struct service *s, uint32_t file)
{
	if (file != s->next) { /* the one whose turn it was is busy */
		s->next = file;
		s->left = s->ios;
	}
	if (s->kind != SERVICE_SEQUENTIAL && --s->left == 0)
		next_turn(s, file);
}

void service_stay(struct service *s, uint32_t file)
{
	s->next = file;
	s->left = s->left == s->ios ? 1 : s->left + 1;
}

uint32_t service_done(struct service *s, uint32_t file)
{
	if (s->kind == SERVICE_RANDOM && s->place[file] < s->nalive && s->alive[s->place[file]] == file) {
		uint32_t last = s->alive[--s->nalive], at = s->place[file];

		s->alive[at] = last;
		s->place[last] = at;
		s->alive[s->nalive] = file;
		s->place[file] = s->nalive;
	}
	if (file == s->next)
		next_turn(s, file);
	return s->kind == SERVICE_RANDOM ? s->next : service_after(s, file);
}
