/* diskspd_xml_comments.c: XML comments at the end of the results, for figures without an element in DISKSPD's
   XML. */
#include "diskspd.h"

#include <string.h>
#include "strbuf.h"
#include "xmlout.h"

struct comments {
	struct xmlout *w;
	struct strbuf text; /* of the current comment */
};

static void end_comment(struct comments *c)
{
	xmlout_comment(c->w, strbuf_str(&c->text));
	strbuf_clear(&c->text);
}

static void put_program(struct comments *c, const struct result *r)
{
	strbuf_printf(&c->text, "%s %s, in the form of DISKSPD %s", r->program, r->version,
		      r->spans->layout == DS_LAYOUT_23 ? "2.3"
						       : "2.2"); /* other layouts have no XML of their own */
	end_comment(c);
}

static void put_error(struct comments *c, const struct result *r, const struct result_span *s)
{
	struct strbuf sentence = { 0 };
	const char *error = diskspd_error(r, s, &sentence);

	if (error && !diskspd_without_figures(r, s)) {
		strbuf_printf(&c->text, "time span %u: %s", s->number, error);
		end_comment(c);
	}
	strbuf_fini(&sentence);
}

static void put_few(struct comments *c, const struct result *r, const struct result_span *s)
{
	const struct span_lat *lat[SPAN_KINDS] = { &s->flow[0].lat, &s->flow[1].lat, &s->flow[2].lat };
	struct strbuf few = { 0 };

	if (diskspd_span(r, s)->latency && diskspd_few_samples(&few, lat)) {
		strbuf_printf(&c->text, "time span %u: %s", s->number, strbuf_str(&few));
		end_comment(c);
	}
	strbuf_fini(&few);
}

/* Adds the Linux counter that replaces each group of events. */
static void put_event_sources(struct comments *c, const struct result_span *s)
{
	for (size_t i = 0; i < s->nevents; i++) {
		const struct span_event *e = &s->events[i];

		if (i && !strcmp(s->events[i - 1].group, e->group))
			continue;
		strbuf_printf(&c->text, "time span %u: %s was counted by %s, not by ETW", s->number, e->group,
			      e->source ? e->source : "");
		end_comment(c);
	}
}

static void put_throughs(struct comments *c, const struct result_span *s)
{
	for (size_t i = 0; i < s->nwrite_throughs; i++) {
		strbuf_printf(&c->text, "time span %u: write-through on %s: %s", s->number,
			      s->write_throughs[i].path,
			      s->write_throughs[i].method ? s->write_throughs[i].method : "");
		end_comment(c);
	}
}

static void put_span_comments(struct comments *c, const struct result *r, const struct result_span *s)
{
	put_error(c, r, s);
	if (diskspd_without_figures(r, s))
		return;
	put_few(c, r, s);
	put_event_sources(c, s);
	put_throughs(c, s);
}

static void put_job_notes(struct comments *c, const struct result_job *j)
{
	for (size_t i = 0; i < j->notes.count; i++) {
		strbuf_printf(&c->text, "note: %s: %s", j->name, j->notes.line[i]);
		end_comment(c);
	}
}

void diskspd_xml_comments(struct xmlout *w, const struct result *r)
{
	struct comments c = { .w = w };

	put_program(&c, r);
	for (size_t i = 0; i < r->spans->nspans; i++)
		put_span_comments(&c, r, r->spans->spans[i]);
	for (size_t i = 0; i < r->njobs; i++) {
		diskspd_self(r->jobs[i], &c.text);
		if (c.text.len)
			end_comment(&c);
	}
	for (size_t i = 0; i < r->notes.count; i++) {
		strbuf_printf(&c.text, "note: %s", r->notes.line[i]);
		end_comment(&c);
	}
	for (size_t i = 0; i < r->njobs; i++)
		put_job_notes(&c, r->jobs[i]);
	strbuf_fini(&c.text);
}
