/* pack_series.c: packs and unpacks the run over time. */
#include <stdlib.h>
#include "pack_coder.h"
#include "strbuf.h"

#define SERIES_MAX_NS ((uint64_t)1 << 60)
#define SERIES_BYTES  ((size_t)64 << 20)

static void code_label(struct coder *c, struct result_series_label *l)
{
	code_text(c, &l->name);
	CODE(c, l->group);
	CODE(c, l->clone);
	CODE(c, l->in_report);
}

static void pack_cells(struct coder *c, const struct series_group *g)
{
	size_t n = g->cells.n;

	CODE(c, n);
	for (size_t i = 0; i < n; i++) {
		const struct series_cell *cell = &g->cells.v[i];
		size_t bytes = cell->rec ? cell->bytes : 0;

		CODE(c, bytes);
		strbuf_add(c->out, cell->rec ? (const char *)cell->rec : "", bytes);
	}
}

static void unpack_cells(struct coder *c, struct series *s, unsigned group, const struct series_group *from)
{
	size_t n = 0;

	code_length(c, &n);
	for (size_t i = 0; i < n && !c->bad; i++) {
		struct ival v = { 0 };
		size_t bytes = 0;

		code_length(c, &bytes);
		if (c->bad || (bytes && !ival_read(&v, c->at, bytes))) {
			c->bad = true;
			return;
		}
		c->at += bytes;
		v.first = from->first + i;
		v.intervals = 1;
		v.part_ns = 0;
		series_add(s, group, 0, from->kind, &v);
	}
}

static void code_group(struct coder *c, struct series *s, unsigned group)
{
	struct series_group g = c->out ? s->groups[group] : (struct series_group){ 0 };

	CODE(c, g.first);
	CODE(c, g.kind);
	CODE(c, g.begin_ns);
	CODE(c, g.end_ns);
	c->bad |= g.kind > LAT_KINDS || g.first > SERIES_MAX_NS / series_interval_ns(s) ||
		  g.begin_ns > SERIES_MAX_NS || g.end_ns > SERIES_MAX_NS;
	if (c->out) {
		pack_cells(c, &g);
		return;
	}
	if (!c->bad)
		unpack_cells(c, s, group, &g);
	s->groups[group].begin_ns = g.begin_ns;
	s->groups[group].end_ns = g.end_ns;
}

static void code_series_data(struct coder *c, struct series *s, struct result_series_label *label,
			     unsigned groups)
{
	for (unsigned g = 0; g < groups && !c->bad && !c->r->failed; g++) {
		if (!c->out && series_add_group(s) < 0)
			c->r->failed = true;
		if (c->r->failed)
			return;
		code_label(c, &label[g]);
		code_group(c, s, g);
	}
}

static void unpack_series(struct coder *c, uint64_t len_ns, unsigned groups)
{
	struct result_series to = c->r->series;
	struct result_series_label *label = calloc(groups + 1, sizeof(*label));
	struct series s = { 0 };

	if (!label || series_init(&s, 0, len_ns, SERIES_BYTES))
		c->r->failed = true;
	else
		code_series_data(c, &s, label, groups);
	c->r->failed |= s.failed;
	if (!c->bad && !c->r->failed)
		result_move_series(c->r, &s, label, to.start_ms);
	c->r->series.on = to.on;
	c->r->series.per_job = to.per_job;
	series_fini(&s);
	free(label);
}

void code_series(struct coder *c)
{
	struct result_series *s = &c->r->series;
	uint64_t len_ns = c->out && s->data.ngroups ? series_interval_ns(&s->data) : 0;
	size_t groups = s->label ? s->data.ngroups : 0;

	CODE(c, s->on);
	CODE(c, s->per_job);
	CODE(c, s->start_ms);
	CODE(c, len_ns);
	code_length(c, &groups);
	if (!groups || c->bad)
		return;
	if (c->out)
		code_series_data(c, &s->data, (struct result_series_label *)(uintptr_t)s->label,
				 (unsigned)groups);
	else if (!len_ns || len_ns > SERIES_MAX_NS)
		c->bad = true;
	else
		unpack_series(c, len_ns, (unsigned)groups);
}
