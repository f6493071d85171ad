/* fuzz_diskspd_shell: the input is a text of pasted lines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "line.h"
#include "shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one_line(const char *line)
{
	struct shell_line s;
	struct ds_line l;
	struct diag d = { 0 };

	if (shell_split(&s, line, &d)) {
		if (!d.text)
			abort();
	} else {
		if (s.argv[s.argc])
			abort();
		if (!ds_line_parse(&l, DS_DIALECT_23, s.argc, (const char *const *)s.argv, NULL, &d))
			ds_line_fini(&l);
	}
	shell_fini(&s);
	diag_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *line;
	const char *at = text;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	while ((line = shell_next(&at))) {
		one_line(line);
		free(line);
	}
	if (*at)
		abort();
	/* As a single line, too: --line takes what it is given. */
	one_line(text);
	free(text);
	return 0;
}
