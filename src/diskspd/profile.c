#include "profile.h"

#include <string.h>

void ds_span_init(struct ds_span *s)
{
	memset(s, 0, sizeof(*s));
	s->duration_s = 10;
	s->warmup_s = 5;
	s->bucket_ms = 1000;
	s->io_ring_percent = 25;
	s->completion_depth = 16;
}

void ds_target_init(struct ds_target *t)
{
	memset(t, 0, sizeof(*t));
	t->block = 64 * 1024;
	t->depth = 2;
	t->threads = 1;
	t->weight = 1;
	t->priority = 3;
}

struct ds_span *ds_profile_init(struct ds_profile *p)
{
	memset(p, 0, sizeof(*p));
	p->spans = arena_alloc(&p->mem, sizeof(*p->spans));
	if (!p->spans)
		return NULL;
	p->nspans = 1;
	ds_span_init(p->spans);
	return p->spans;
}

void ds_profile_fini(struct ds_profile *p)
{
	arena_fini(&p->mem);
	memset(p, 0, sizeof(*p));
}
