#include "resolve_replay.h"

#include <errno.h>
#include <stdlib.h>

int replay_addresses_add(struct replay_addresses *x, struct rule_ctx *r, const struct trace_event *e)
{
	int ret;

	while (x->target.n <= e->device)
		if (!VEC_PUSH(&x->target, (struct extents){ 0 }))
			return diag_no_memory(r->d);
	ret = extents_add(&x->target.v[e->device], e->offset, e->length, &x->entries);
	if (ret == -E2BIG)
		return rule_refuse(
			r, "replay_address",
			"the I/Os touch so many separate parts of their targets that 32 MiB cannot "
			"hold them; use wrap or fit, or replay a part of the trace ({replay_from}, "
			"{replay_to})");
	return ret ? diag_no_memory(r->d) : 0;
}

int replay_addresses_set(struct replay_addresses *x, struct rule_ctx *r, struct replay_facts *f,
			 uint64_t *end)
{
	struct compact_map *map = arena_array(&r->set->arena, f->targets + 1, sizeof(*map));

	if (!map)
		return diag_no_memory(r->d);
	for (uint32_t i = 0; i < f->targets && i < x->target.n; i++) {
		if (extents_compact(&x->target.v[i], &map[i], &r->set->arena))
			return diag_no_memory(r->d);
		end[i] = map[i].bytes;
	}
	f->compact = map;
	return 0;
}

void replay_addresses_fini(struct replay_addresses *x)
{
	for (size_t i = 0; i < x->target.n; i++)
		extents_fini(&x->target.v[i]);
	free(x->target.v);
}
