/* fuzz_sweep_list: the input is read as the sweep.json that --resume finds, of a sweep of two points. An
   accepted list has the points and jobs that fiord itself writes; a refused one leaves a message of one
   line. */
#include <string.h>
#include "fuzz_must.h"
#include "jsonr.h"
#include "strbuf.h"
#include "sweep_list.h"

/* The jobs of the second point are no UTF-8: the list has them with the replacement character. */
static struct sweep_run runs[] = { { "--name=a --iodepth=1", "0001-iodepth=1.json", false },
				   { "--name='b\xff\"\n' --iodepth=2", "0002-iodepth=2.json", false } };

static void init(struct sweep_points *p, struct sweep *s)
{
	struct diag d = { 0 };

	must(!sweep_matrix_add(&s->matrix, "iodepth=1,2", &d) && !sweep_init(s, &d), "no sweep",
	     diag_text(&d));
	*p = (struct sweep_points){ .sweep = s, .run = runs };
	diag_fini(&d);
}

static void own_list_is_accepted(const struct sweep_points *p)
{
	struct strbuf b = { 0 };
	struct diag d = { 0 };

	sweep_list_print(p, &b);
	must(!sweep_list_check(p, strbuf_str(&b), b.len, "own", &d), "the own list is refused",
	     diag_text(&d));
	must(sweep_list_check(p, strbuf_str(&b), b.len / 2, "half", &d), "half a list is accepted",
	     strbuf_str(&b));
	strbuf_fini(&b);
	diag_fini(&d);
}

/* Returns how often a text with an end occurs in the data. */
static size_t occurs(const char *text, const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *at = data;
	size_t n = 0;

	while (at < end && (at = memmem(at, (size_t)(end - at), text, strlen(text)))) {
		n++;
		at++;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sweep s;
	static struct sweep_points p;
	struct diag d = { 0 };
	int ret;

	if (!p.sweep) {
		init(&p, &s);
		own_list_is_accepted(&p);
	}
	ret = sweep_list_check(&p, (const char *)data, size, "fuzz.json", &d);
	if (ret)
		must(*diag_text(&d) && !strpbrk(diag_text(&d), "\n\033"), "no one-line error", diag_text(&d));
	else
		must(occurs("\"", data, size) >= 14 && occurs("{", data, size) >= 3,
		     "an accepted list lacks points", "");
	diag_fini(&d);
	return 0;
}
