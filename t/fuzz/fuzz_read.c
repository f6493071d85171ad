/* fuzz_read: the input is a document or a page. An accepted one is printed as JSON, which must be accepted
   too and then print the same again. A refused one leaves a message of one line and an unchanged set. */
#include <string.h>
#include "fuzz_must.h"
#include "read.h"
#include "report.h"
#include "strbuf.h"

/* Reads text that the program printed itself. */
static void must_read(struct result_set *set, const char *name, const struct strbuf *b)
{
	struct diag d = { 0 };
	int ret = result_read(set, name, b->text, b->len, &d);

	must(!ret, diag_text(&d), strbuf_str(b));
	diag_fini(&d);
}

static void print_all(const struct result_set *set, struct strbuf *out)
{
	for (size_t i = 0; i < set->n; i++)
		must(!report_json(set->res[i], out), "the result cannot be printed", set->source[i]);
}

static void check_again(const struct result_set *set)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct result_set again = { 0 }, third = { 0 };

	/* Reading may round once: counts become those that the figures have. */
	print_all(set, &first);
	must_read(&again, "again", &first);
	must(again.n == set->n, "reads back as another number of documents", strbuf_str(&first));
	print_all(&again, &second);
	must_read(&third, "third", &second);
	strbuf_clear(&first);
	print_all(&third, &first);
	must(!strcmp(strbuf_str(&first), strbuf_str(&second)), "reads back as something else",
	     strbuf_str(&second));
	result_set_free(&again);
	result_set_free(&third);
	strbuf_fini(&first);
	strbuf_fini(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result_set set = { 0 };
	struct diag d = { 0 };
	int ret = result_read(&set, "fuzz.json", (const char *)data, size, &d);

	must(ret ? !set.n : set.n > 0, "the set is wrong", diag_text(&d));
	must(!ret || (*diag_text(&d) && !strchr(diag_text(&d), '\n')), "no one-line error", diag_text(&d));
	if (!ret)
		check_again(&set);
	result_set_free(&set);
	diag_fini(&d);
	return 0;
}
