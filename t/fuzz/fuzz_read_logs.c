/* fuzz_read_logs: the input is the logs of one prefix; a line "@KIND" begins the next log, of this kind
   ("@bw.2"). An accepted result is printed as JSON, which must be accepted as a document. A refused one
   leaves a message of one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz_must.h"
#include "read_logs.h"
#include "report.h"
#include "strbuf.h"

#define LOGS_MAX 8

/* Opens the logs of the text, whose bytes fmemopen reads in place. */
static size_t open_logs(char *text, size_t len, struct result_log *log, char name[][64])
{
	char *end = text + len;
	size_t n = 0;

	while (text < end && n < LOGS_MAX) {
		char *line = memchr(text, '\n', (size_t)(end - text)), *body = line ? line + 1 : end;
		char *next = memmem(body, (size_t)(end - body), "\n@", 2), *stop = next ? next + 1 : end;

		if (*text != '@' || body == stop)
			break;
		snprintf(name[n], 64, "p_%.*s.log", (int)(line - text - 1 < 40 ? line - text - 1 : 40),
			 text + 1);
		log[n] = (struct result_log){ name[n], fmemopen(body, (size_t)(stop - body), "r") };
		must(log[n++].file, "no memory", "");
		text = stop;
	}
	return n;
}

/* Reads text that the program printed itself. */
static void must_read(struct result_set *set, const char *name, const struct strbuf *b)
{
	struct diag d = { 0 };
	int ret = result_read(set, name, b->text, b->len, &d);

	must(!ret, diag_text(&d), strbuf_str(b));
	diag_fini(&d);
}

static void check_again(const struct result_set *set)
{
	struct result_set again = { 0 };
	struct strbuf b = { 0 };

	must(!report_json(set->res[0], &b), "the result cannot be printed", "");
	must_read(&again, "again", &b);
	must(again.n == 1 && again.res[0]->njobs == set->res[0]->njobs, "reads back as something else",
	     strbuf_str(&b));
	result_set_free(&again);
	strbuf_fini(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result_log log[LOGS_MAX];
	char name[LOGS_MAX][64], *text = malloc(size + 1);
	struct result_set set = { 0 };
	struct diag d = { 0 };
	size_t n;
	int ret;

	must(text, "no memory", "");
	memcpy(text, data, size);
	n = open_logs(text, size, log, name);
	ret = result_read_logs(&set, log, n, &d);
	must(ret ? !set.n : set.n == 1, "the set is wrong", diag_text(&d));
	must(!ret || (*diag_text(&d) && !strchr(diag_text(&d), '\n')), "no one-line error", diag_text(&d));
	if (!ret)
		check_again(&set);
	while (n > 0)
		fclose(log[--n].file);
	result_set_free(&set);
	diag_fini(&d);
	free(text);
	return 0;
}
