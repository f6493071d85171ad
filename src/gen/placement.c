#include "placement.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "arena.h"
#include "diag.h"
#include "units.h"
#include "vec.h"

/* Returns the position of the number; s->n if it is new. */
static uint32_t position_of(const struct placement_set *s, uint64_t plid)
{
	uint32_t i = 0;

	while (i < s->n && s->plid[i] != plid)
		i++;
	return i;
}

static int add_plid(struct placement_set *s, uint64_t plid, struct diag *d)
{
	if (s->n == PLACEMENT_IDS)
		return diag_err(d, -EINVAL, "more than %d numbers; that is the most that a job can have",
				PLACEMENT_IDS);
	s->plid[s->n++] = (uint16_t)plid;
	return 0;
}

/* ---- plids ---- */

/* Reads a number without a sign; returns what follows it, or NULL. */
static const char *read_plid(const char *text, uint64_t *n)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return NULL;
	errno = 0;
	*n = strtoull(text, &end, 10);
	return errno || *n > PLACEMENT_MOST ? NULL : end;
}

static int add_plids(struct placement_set *s, uint64_t from, uint64_t to, struct diag *d)
{
	for (uint64_t plid = from; plid <= to; plid++) {
		if (position_of(s, plid) < s->n)
			return diag_err(d, -EINVAL, "the number %u is there twice; give each number once",
					(unsigned)plid);
		if (add_plid(s, plid, d))
			return d->err;
	}
	return 0;
}

int placement_list_parse(struct placement_set *s, const char *text, struct diag *d)
{
	for (;;) {
		uint64_t from = 0, to;
		const char *at = read_plid(text, &from);

		to = from;
		if (at && *at == '-')
			at = read_plid(at + 1, &to);
		if (!at || to < from || (*at && *at != ','))
			return diag_err(d, -EINVAL,
					"not a list of numbers and ranges of 0 to %u, such as 0,2-4",
					PLACEMENT_MOST);
		if (add_plids(s, from, to, d))
			return d->err;
		if (!*at)
			return 0;
		text = at + 1;
	}
}

/* ---- dp_scheme ---- */

/* Copies the next field of the line, without blanks around it; a field that is too long for a number becomes
   an empty one. Returns what follows it: the comma or the end. */
static const char *read_field(const char *at, char *field, size_t size)
{
	size_t n = strcspn(at, ",\n"), from = 0, len = n;

	while (from < len && isspace((unsigned char)at[from]))
		from++;
	while (len > from && isspace((unsigned char)at[len - 1]))
		len--;
	len = len - from < size ? len - from : 0;
	memcpy(field, at + from, len);
	field[len] = '\0';
	return at + n;
}

/* Reads the three fields of a line. Returns NULL if it has another form. */
static const char *read_range(const char *at, struct placement_range *r, uint64_t *plid)
{
	char start[32], end[32], number[32];
	const char *hint, *rest;

	at = read_field(at, start, sizeof(start));
	if (*at != ',')
		return NULL;
	at = read_field(at + 1, end, sizeof(end));
	if (*at != ',')
		return NULL;
	at = read_field(at + 1, number, sizeof(number));
	rest = read_plid(number, plid);
	if (*at == ',' || !rest || *rest || units_size(start, 1024, &r->start, &hint) ||
	    units_size(end, 1024, &r->end, &hint))
		return NULL;
	return at;
}

static int add_scheme_range(struct placement_set *s, struct placement_range *r, uint64_t plid, struct diag *d)
{
	const struct placement_range *before = s->nranges ? &s->range[s->nranges - 1] : NULL;

	if (r->start >= r->end)
		return diag_err(d, -EINVAL,
				"the range begins at %llu and ends at %llu; the end must be above the start",
				(unsigned long long)r->start, (unsigned long long)r->end);
	if (before && r->start < before->end)
		return diag_err(
			d, -EINVAL,
			"the range begins at %llu, but that of line %u ends at %llu; ranges must be in "
			"order and must not overlap",
			(unsigned long long)r->start, before->line, (unsigned long long)before->end);
	r->position = position_of(s, plid);
	if (r->position == s->n && add_plid(s, plid, d))
		return d->err;
	s->range[s->nranges++] = *r;
	return 0;
}

static bool is_blank_line(const char *line)
{
	return line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")];
}

static size_t lines_of(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

int placement_scheme_parse(struct placement_set *s, struct arena *a, const char *text, const char *path,
			   struct diag *d)
{
	unsigned line = 1;

	s->range = arena_array(a, lines_of(text), sizeof(*s->range));
	if (!s->range)
		return diag_no_memory(d);
	for (const char *at = text; *at; line++) {
		size_t n = strcspn(at, "\n");
		struct placement_range r = { .line = line };
		uint64_t plid = 0;

		if (!is_blank_line(at) && !read_range(at, &r, &plid))
			return diag_err(d, -EINVAL, "%s:%u: '%.*s' is not START, END, PLID, such as 0, 1g, 2",
					path, line, n > 60 ? 60 : (int)n, at);
		if (!is_blank_line(at) && add_scheme_range(s, &r, plid, d))
			return diag_wrap(d, "%s:%u", path, line);
		at += n + (at[n] == '\n');
	}
	return s->nranges
		       ? 0
		       : diag_err(d, -EINVAL, "%s has no line of START, END, PLID, such as 0, 1g, 2", path);
}

/* ---- the next write ---- */

void placement_init(struct placement_gen *g, const struct placement_set *set, uint64_t seed)
{
	*g = (struct placement_gen){ .set = set };
	rng_init(&g->rng, seed);
}

/* Returns the position of the id in whose range the byte lies. */
static uint32_t find_range(const struct placement_set *s, uint64_t offset)
{
	size_t from = 0, to = s->nranges;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (offset >= s->range[middle].end)
			from = middle + 1;
		else
			to = middle;
	}
	return from < s->nranges && offset >= s->range[from].start ? s->range[from].position : s->n;
}

uint32_t placement_next(struct placement_gen *g, uint64_t offset)
{
	uint32_t now = g->next;

	if (g->set->select == PLACEMENT_SCHEME)
		return find_range(g->set, offset);
	if (g->set->select == PLACEMENT_RANDOM)
		return (uint32_t)rng_below(&g->rng, g->set->n);
	g->next = now + 1 < g->set->n ? now + 1 : 0;
	return now;
}
