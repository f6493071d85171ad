/* reread.c: reads documents and logs, and prints each result as JSON with its series. A document of fiord
 * comes back as it was.
 */
#include <stdio.h>
#include "read_logs.h"
#include "report.h"
#include "strbuf.h"

static int print(const struct result *r)
{
	struct strbuf b = { 0 };
	int ret = report_json(r, &b);

	if (!ret)
		fputs(strbuf_str(&b), stdout);
	strbuf_fini(&b);
	return ret;
}

int main(int argc, char **argv)
{
	struct result_set set = { 0 };
	struct diag d = { 0 };
	int ret = result_read_files(&set, (const char *const *)argv + 1, (size_t)argc - 1, &d);

	if (ret)
		fprintf(stderr, "reread: %s\n", diag_text(&d));
	for (size_t i = 0; i < set.n && !ret; i++)
		ret = print(set.res[i]);
	result_set_free(&set);
	diag_fini(&d);
	return ret != 0;
}
