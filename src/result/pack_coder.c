#include "pack_coder.h"

#include <string.h>
#include "strbuf.h"

void pack_put_number(struct strbuf *out, uint64_t v)
{
	char bytes[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (char)(v | 0x80);
	bytes[n++] = (char)v;
	strbuf_add(out, bytes, n);
}

static uint64_t get_number(struct coder *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
		unsigned char byte = *c->at++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	c->bad = true;
	return 0;
}

void code_u64(struct coder *c, uint64_t *v)
{
	if (c->out)
		pack_put_number(c->out, *v);
	else
		*v = get_number(c);
}

void code_u64s(struct coder *c, void *v, size_t bytes)
{
	uint64_t *number = v;

	for (size_t i = 0; i < bytes / sizeof(*number); i++)
		code_u64(c, &number[i]);
}

void code_double(struct coder *c, double *v)
{
	uint64_t bits;

	memcpy(&bits, v, sizeof(bits));
	for (unsigned shift = 0; c->out && shift < 64; shift += 8)
		strbuf_putc(c->out, (char)(bits >> shift));
	if (c->out)
		return;
	if (c->end - c->at < 8) {
		c->bad = true;
		return;
	}
	bits = 0;
	for (unsigned shift = 0; shift < 64; shift += 8)
		bits |= (uint64_t)*c->at++ << shift;
	memcpy(v, &bits, sizeof(bits));
}

void code_length(struct coder *c, size_t *n)
{
	CODE(c, *n);
	if (c->out || *n <= (size_t)(c->end - c->at))
		return;
	c->bad = true;
	*n = 0;
}

void code_text(struct coder *c, const char **text)
{
	size_t n = c->out && *text ? strlen(*text) + 1 : 0;

	CODE(c, n); /* 0: NULL */
	if (c->out) {
		strbuf_add(c->out, *text ? *text : "", n ? n - 1 : 0);
		return;
	}
	*text = NULL;
	if (n > (size_t)(c->end - c->at) + 1)
		c->bad = true;
	if (!n || c->bad)
		return;
	c->bad |= memchr(c->at, '\0', n - 1) != NULL;
	*text = arena_strndup(&c->r->mem, (const char *)c->at, n - 1);
	c->r->failed |= !*text;
	c->at += n - 1;
}

void *code_array(struct coder *c, const void *v, size_t *n, size_t bytes)
{
	void *array = (void *)(uintptr_t)v;

	code_length(c, n);
	if (c->out)
		return array;
	array = *n ? arena_array(&c->r->mem, *n, bytes) : NULL;
	if (!array) {
		c->r->failed |= *n > 0;
		*n = 0;
	}
	return array;
}

void code_bins(struct coder *c, struct result_bins *b)
{
	uint64_t before = 0, step;
	uint64_t *ns = code_array(c, b->ns, &b->n, sizeof(*ns));
	uint64_t *count = c->out ? (uint64_t *)(uintptr_t)b->count : NULL;

	if (!c->out && b->n)
		count = arena_array(&c->r->mem, b->n, sizeof(*count));
	if (b->n && !count) {
		c->r->failed = true;
		b->n = 0;
	}
	for (size_t i = 0; i < b->n; i++) {
		step = ns[i] - before;
		code_u64(c, &step);
		ns[i] = before = before + step;
		code_u64(c, &count[i]);
	}
	b->ns = ns;
	b->count = count;
}

void code_notes(struct coder *c, struct notes *notes)
{
	size_t n = notes->count;

	code_length(c, &n);
	for (size_t i = 0; i < n; i++) {
		const char *line = c->out ? notes->line[i] : NULL;

		code_text(c, &line);
		if (!c->out && line)
			notes_add(notes, "%s", line);
	}
}

void code_options(struct coder *c, const struct result_opt **list, size_t *n)
{
	struct result_opt *v = code_array(c, *list, n, sizeof(*v));

	for (size_t i = 0; i < *n; i++) {
		code_text(c, &v[i].name);
		code_text(c, &v[i].value);
		if (!c->out && (!v[i].name || !v[i].value)) {
			c->bad = true;
			v[i] = (struct result_opt){ "", "" };
		}
	}
	*list = v;
}

static void code_list(struct coder *c, const struct figure *f, void *of)
{
	char **entry = (char **)((char *)of + f->offset);
	size_t n = figure_length(f, of);

	*entry = code_array(c, *entry, &n, f->list.bytes);
	for (size_t i = 0; i < n && f->list.rows; i++)
		code_figures(c, f->list.rows, *entry + i * f->list.bytes);
	if (!f->list.rows && n)
		code_u64s(c, *entry, n * f->list.bytes);
	if (n || !figure_is_optional(f))
		figure_set_length(f, of, n);
}

static void code_value(struct coder *c, const struct figure *f, void *of)
{
	void *at = (char *)of + f->offset;

	switch (f->type) {
	case FIGURE_U64:
		code_u64(c, at);
		break;
	case FIGURE_UNSIGNED:
		CODE(c, *(unsigned *)at);
		break;
	case FIGURE_INT:
		CODE(c, *(int *)at);
		break;
	case FIGURE_DOUBLE:
		code_double(c, at);
		break;
	case FIGURE_BOOL:
		CODE(c, *(bool *)at);
		break;
	case FIGURE_TEXT:
		code_text(c, at);
		break;
	case FIGURE_LIST:
	case FIGURE_COLUMN:
		code_list(c, f, of);
		break;
	case FIGURE_BINS:
		code_bins(c, at);
		break;
	case FIGURE_PERCENTILE:
		break;
	}
	if (f->sets)
		CODE(c, *(bool *)((char *)of + f->only_if.offset));
}

void code_figures(struct coder *c, const struct figure *rows, void *of)
{
	for (const struct figure *f = rows; f->name; f++)
		if (!f->derived)
			code_value(c, f, of);
}
