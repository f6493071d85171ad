#include "replay_addresses.h"

#include <errno.h>
#include <stdlib.h>

/* Makes room for the targets up to this one. */
static int grow_table(struct replay_addresses *x, struct rule_ctx *r, size_t n)
{
	struct extents *target;

	if (n <= x->n)
		return 0;
	n = n < 2 * x->n ? 2 * x->n : n;
	target = realloc(x->target, n * sizeof(*target));
	if (!target)
		return diag_no_memory(r->d);
	x->target = target;
	while (x->n < n)
		x->target[x->n++] = (struct extents){ 0 };
	return 0;
}

int replay_addresses_add(struct replay_addresses *x, struct rule_ctx *r, const struct trace_event *e)
{
	int ret;

	if (grow_table(x, r, (size_t)e->device + 1))
		return r->d->err;
	ret = extents_add(&x->target[e->device], e->offset, e->length, &x->entries);
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
	for (uint32_t i = 0; i < f->targets && i < x->n; i++) {
		if (extents_compact(&x->target[i], &map[i], &r->set->arena))
			return diag_no_memory(r->d);
		end[i] = map[i].bytes;
	}
	f->compact = map;
	return 0;
}

void replay_addresses_fini(struct replay_addresses *x)
{
	for (size_t i = 0; i < x->n; i++)
		extents_fini(&x->target[i]);
	free(x->target);
}
