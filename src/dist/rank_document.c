#include "rank.h"

#include <stdio.h>
#include <string.h>
#include "outfile.h"
#include "report.h"
#include "strbuf.h"

char *rank_document_path(const struct comm *c, const char *output)
{
	const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
	const char *dot = strrchr(name, '.');
	int stem = dot && dot > name ? (int)(dot - output) : (int)strlen(output);
	char *path;

	return asprintf(&path, "%.*s.%s%s", stem, output, c->name, output + stem) < 0 ? NULL : path;
}

int rank_document_write(const char *path, const struct result *res, struct diag *d)
{
	struct result copy = *res;
	struct strbuf b = { 0 };
	int err;

	copy.bins_off = false;
	err = report_render(OUT_JSON | OUT_JSON_PLUS, 3, &copy, &b);
	err = err ? diag_kind(d, DIAG_OUTPUT, err, "out of memory for the result")
		  : outfile_write(path, strbuf_str(&b), b.len, d);
	strbuf_fini(&b);
	return err;
}
