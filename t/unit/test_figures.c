/* Do the writer, the reader, the pack and the copy agree on every row of figures.h? Each member of a struct
   gets a value of its own, which must come back from the document, from the pack and from the copy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "json_shared.h"
#include "pack_coder.h"
#include "read_parts.h"
#include "strbuf.h"

#define ENTRIES 2

/* Larger than any struct that has a table. */
union room {
	uint64_t align;
	char bytes[1 << 17];
};
static union room from, to;
static struct result res;
static unsigned values;
/* Of durations that have a bucket of their own. */
static uint64_t bins_ns[ENTRIES] = { 1, 100 }, bins_count[ENTRIES] = { 7, 8 };

static void *member(const void *of, size_t offset)
{
	return (char *)(uintptr_t)of + offset;
}

static void fill(const struct figure *rows, void *of);

static void fill_list(const struct figure *f, void *of)
{
	char *entry = arena_array(&res.mem, ENTRIES, f->list.bytes);

	assert_non_null(entry);
	for (unsigned i = 0; i < ENTRIES; i++)
		if (f->list.rows)
			fill(f->list.rows, entry + i * f->list.bytes);
		else
			((uint64_t *)(void *)entry)[i] = ++values;
	*(char **)member(of, f->offset) = entry;
	figure_set_length(f, of, ENTRIES);
}

static void fill_value(const struct figure *f, void *at)
{
	unsigned v = ++values;

	if (f->type == FIGURE_U64)
		*(uint64_t *)at = v * (uint64_t)1000000000; /* FORM_S has whole seconds */
	else if (f->type == FIGURE_UNSIGNED)
		*(unsigned *)at = v;
	else if (f->type == FIGURE_INT)
		*(int *)at = -(int)v;
	else if (f->type == FIGURE_DOUBLE)
		*(double *)at = (f->is_signed ? -1.0 : 1.0) * (v + (f->form == FORM_WHOLE ? 0 : 0.5));
	else if (f->type == FIGURE_BOOL)
		*(bool *)at = true;
	else if (f->type == FIGURE_TEXT)
		*(const char **)at = arena_printf(&res.mem, "text %u", v);
}

static void fill(const struct figure *rows, void *of)
{
	for (const struct figure *f = rows; f->name; f++) {
		if (!figure_is_written(f, of))
			*(char *)member(of, f->only_if.offset) = 1;
		if (f->type == FIGURE_LIST || f->type == FIGURE_COLUMN)
			fill_list(f, of);
		else if (f->type == FIGURE_BINS)
			*(struct result_bins *)(void *)member(of, f->offset) =
				(struct result_bins){ bins_ns, bins_count, ENTRIES };
		else if (!f->derived)
			fill_value(f, member(of, f->offset));
	}
}

static size_t bytes_of(const struct figure *f)
{
	return f->type == FIGURE_BOOL ? sizeof(bool) : f->type <= FIGURE_DOUBLE ? 8 : sizeof(int);
}

static void assert_same_bins(const struct result_bins *a, const struct result_bins *b)
{
	assert_int_equal(b->n, a->n);
	assert_memory_equal(a->ns, b->ns, a->n * sizeof(*a->ns));
	assert_memory_equal(a->count, b->count, a->n * sizeof(*a->count));
}

static void assert_same(const struct figure *rows, const void *a, const void *b)
{
	for (const struct figure *f = rows; f->name; f++) {
		const char *x = member(a, f->offset), *y = member(b, f->offset);

		if (f->derived)
			continue;
		if (f->type == FIGURE_COLUMN) {
			assert_int_equal(figure_length(f, b), ENTRIES);
			assert_memory_equal(*(void *const *)(const void *)x, *(void *const *)(const void *)y,
					    ENTRIES * f->list.bytes);
		} else if (f->type == FIGURE_LIST) {
			assert_int_equal(figure_length(f, b), ENTRIES);
			for (unsigned i = 0; i < ENTRIES; i++)
				assert_same(f->list.rows, *(char *const *)(const void *)x + i * f->list.bytes,
					    *(char *const *)(const void *)y + i * f->list.bytes);
		} else if (f->type == FIGURE_BINS) {
			assert_same_bins((const void *)x, (const void *)y);
		} else if (f->type == FIGURE_TEXT) {
			assert_string_equal(*(const char *const *)(const void *)x,
					    *(const char *const *)(const void *)y);
		} else if (memcmp(x, y, bytes_of(f)) != 0) {
			fail_msg("%s", f->name);
		}
		if (f->sets)
			assert_true(*(bool *)member(b, f->only_if.offset));
	}
}

static void through_document(const struct figure *rows)
{
	struct strbuf text = { 0 };
	struct diag d = { 0 };
	struct reader rd = { .name = "f", .d = &d, .r = &res, .room = 1 << 30 };
	struct read_object o;
	struct jsonw w;
	const char *at;
	struct json v;

	jsonw_init(&w, &text);
	jsonw_object(&w, NULL);
	json_figures(&w, rows, &from);
	jsonw_end_object(&w);
	assert_null(json_parse(strbuf_str(&text), text.len, &v, &at));
	assert_true(read_open(&rd, &o, v, ""));
	read_figures(&rd, &o, rows, &to);
	if (rd.err)
		fail_msg("%s", diag_text(&d));
	assert_same(rows, &from, &to);
	arena_fini(&rd.scratch);
	strbuf_fini(&text);
}

static void through_pack(const struct figure *rows)
{
	struct strbuf pack = { 0 };
	struct coder out = { .out = &pack, .r = &res }, in = { .r = &res };

	code_figures(&out, rows, &from);
	in.at = (const unsigned char *)pack.text;
	in.end = in.at + pack.len;
	code_figures(&in, rows, &to);
	assert_false(in.bad);
	assert_ptr_equal(in.at, in.end);
	assert_same(rows, &from, &to);
	strbuf_fini(&pack);
}

/* The copy points to memory of its own. */
static void through_copy(const struct figure *rows)
{
	struct result own;

	to = from;
	result_init(&own, "fiord", "1", "3");
	result_copy_figures(&own, rows, &to);
	assert_false(own.failed);
	assert_same(rows, &from, &to);
	for (const struct figure *f = rows; f->name; f++)
		if (f->type >= FIGURE_TEXT && f->type <= FIGURE_BINS)
			assert_ptr_not_equal(*(void **)member(&to, f->offset),
					     *(void **)member(&from, f->offset));
	result_free(&own);
}

static void every_row(void (*through)(const struct figure *rows))
{
	for (const struct figure *const *table = figure_tables; *table; table++) {
		result_init(&res, "fiord", "1", "3");
		memset(&from, 0, sizeof(from));
		memset(&to, 0, sizeof(to));
		values = 0;
		fill(*table, &from);
		through(*table);
		result_free(&res);
	}
}

static void documents_keep_every_row(void **state)
{
	(void)state;
	every_row(through_document);
}

static void packs_keep_every_row(void **state)
{
	(void)state;
	every_row(through_pack);
}

static void copies_have_every_row(void **state)
{
	(void)state;
	every_row(through_copy);
}

int unit_figures(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_keep_every_row),
		cmocka_unit_test(packs_keep_every_row),
		cmocka_unit_test(copies_have_every_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
