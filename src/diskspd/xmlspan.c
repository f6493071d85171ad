/* xmlspan.c: setters of the profile's and the time spans' elements. */
#include "strbuf.h"
#include "xml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "vec.h"

int xmlset_end_spans(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	(void)row;
	(void)why;
	r->p.nspans = r->spans.n;
	r->p.spans = xmlset_copy(r, r->spans.v, r->spans.n, sizeof(*r->p.spans));
	return r->p.spans ? 0 : -ENOMEM;
}

void xmlset_begin_span(struct xml_reader *r)
{
	ds_span_init(&r->span);
	r->targets.n = r->cpus.n = 0;
}

int xmlset_end_span(struct xml_reader *r, const struct xml_row *row, struct strbuf *why)
{
	struct ds_span *s = &r->span;

	(void)row;
	(void)why;
	s->xml_line = r->line;
	s->ntargets = r->targets.n;
	s->ncpus = r->cpus.n;
	s->targets = xmlset_copy(r, r->targets.v, r->targets.n, sizeof(*s->targets));
	s->cpus = xmlset_copy(r, r->cpus.v, r->cpus.n, sizeof(*s->cpus));
	return s->targets && s->cpus && VEC_PUSH(&r->spans, *s) ? 0 : -ENOMEM;
}

int xmlset_affinity(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t cpu;

	(void)row;
	if (xmlset_number(text, 0, 255, &cpu, why))
		return -EINVAL;
	return VEC_PUSH(&r->cpus, (struct ds_cpu){ .cpu = (unsigned)cpu }) ? 0 : -ENOMEM;
}

static int no_text(const char *text, struct strbuf *why)
{
	if (*text)
		strbuf_puts(why, "no text; it has only attributes");
	return *text ? -EINVAL : 0;
}

int xmlset_group_affinity(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	uint64_t group, cpu;

	if (no_text(text, why) || xmlset_attr_number(r, row, 0, 65535, &group, why) ||
	    xmlset_attr_number(r, row, 1, 255, &cpu, why))
		return -EINVAL;
	return VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, (unsigned)cpu }) ? 0 : -ENOMEM;
}

/* DISKSPD 2.3: reads the processors of a group as a mask, "0xff" or "ff". */
int xmlset_group_mask(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	const char *hex = r->attr[1] + (strncmp(r->attr[1], "0x", 2) ? 0 : 2);
	size_t digits = strspn(hex, "0123456789abcdefABCDEF");
	uint64_t group, mask;

	if (no_text(text, why) || xmlset_attr_number(r, row, 0, 65535, &group, why))
		return -EINVAL;
	mask = strtoull(hex, NULL, 16);
	if (!digits || digits > 16 || hex[digits] || !mask) {
		strbuf_printf(why, "Mask=\"%s\": processors as a hexadecimal number that is not 0",
			      r->attr[1]);
		return -EINVAL;
	}
	if (mask == UINT64_MAX)
		return VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, DS_CPU_ALL }) ? 0 : -ENOMEM;
	for (unsigned cpu = 0; cpu < 64; cpu++)
		if (mask >> cpu & 1 && !VEC_PUSH(&r->cpus, (struct ds_cpu){ (unsigned)group, cpu }))
			return -ENOMEM;
	return 0;
}

static const char *const group_orders[] = { "Fill", "Span", NULL };
static const char *const efficiency_orders[] = { "",           "PFirst",    "FillPFirst", "EFirst",
						 "FillEFirst", "Unordered", NULL };
static const char *const cpu_orders[] = { "", "Cpu", "Core", NULL };

/* DISKSPD 2.3: reads the element for the letters of -ac -as -ap -aP -ae -aE -aup. */
int xmlset_traversal(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	unsigned cpu = 0, group = 0, efficiency = 0;
	char *to = r->span.traversal;

	if ((*text && xmlset_word(text, cpu_orders, &cpu, why)) ||
	    (r->has_attr[0] && xmlset_word(r->attr[0], group_orders, &group, why)) ||
	    (r->has_attr[1] && xmlset_word(r->attr[1], efficiency_orders, &efficiency, why)))
		return -EINVAL;
	(void)row;
	memset(to, 0, sizeof(r->span.traversal));
	if (cpu == 2)
		*to++ = 'c';
	if (group == 1)
		*to++ = 's';
	if (efficiency)
		*to++ = " pPeEu"[efficiency];
	return 0;
}

int xmlset_separation(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	unsigned v;
	int ret = xmlset_word(text, row->words, &v, why);

	if (!ret)
		r->span.default_buffer_separation = v == 1;
	return ret;
}

int xmlset_ring_batch(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	bool percent = false;
	uint64_t v;

	(void)row;
	if (r->has_attr[0] && xmlset_boolean(r->attr[0], &percent, why))
		return -EINVAL;
	if (xmlset_number(text, 1, percent ? 100 : 65536, &v, why))
		return -EINVAL;
	if (percent)
		r->span.io_ring_percent = (unsigned)v;
	else
		r->span.io_ring_batch = (unsigned)v;
	return 0;
}

int xmlset_reg_buffer(struct xml_reader *r, const struct xml_row *row, char *text, struct strbuf *why)
{
	bool v = true;

	(void)row;
	if (xmlset_boolean(text, &v, why))
		return -EINVAL;
	r->span.io_ring_unregistered = !v;
	return 0;
}
