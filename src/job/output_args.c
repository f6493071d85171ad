#include "cmdline_parts.h"

#include <errno.h>
#include <stdlib.h>
#include "format_names.h"
#include "vec.h"

int output_args_add(struct output_args *a, const char *text, struct arena *mem, struct diag *d)
{
	struct output_value v;
	char *path;
	int err = output_value_parse(&v, text, d);

	if (err)
		return err;
	if (v.page && a->page)
		return diag_err(d, -EINVAL, "the page has the file %s already; give one file", a->page);
	path = arena_strdup(mem, v.path);
	if (!path)
		return diag_no_memory(d);
	if (v.page)
		a->page = path;
	else if (!v.formats)
		a->plain = path;
	else if (!VEC_PUSH(&a->files, (struct out_file){ path, v.formats }))
		return diag_no_memory(d);
	return 0;
}

struct out_file output_args_main(const struct output_args *a, unsigned formats)
{
	struct out_file rest = { a->plain, formats };

	for (size_t i = 0; i < a->files.n; i++) {
		unsigned own = a->files.v[i].formats;

		if (!((own ^ formats) & OUT_JSON_PLUS) || !(own & OUT_JSON)) /* json is not json+ */
			rest.formats &= ~own;
	}
	return rest;
}

int output_args_finish(const struct output_args *a, struct run_opts *run, struct arena *mem, struct diag *d)
{
	if (a->page && run->report)
		return diag_err(
			d, -EINVAL,
			"--output=html:%s: the page has the file of --report=%s already; give one of them",
			a->page, run->report);
	if (a->page)
		run->report = a->page;
	run->output = output_args_main(a, run->formats);
	if (a->plain && !run->output.formats)
		return diag_err(d, -EINVAL,
				"--output=%s: this file would stay empty, because each format of "
				"--output-format has a file of its own",
				a->plain);
	run->nfiles = a->files.n;
	run->files = arena_alloc(mem, (a->files.n + 1) * sizeof(*run->files));
	if (!run->files)
		return diag_no_memory(d);
	for (size_t i = 0; i < a->files.n; i++) {
		run->files[i] = a->files.v[i];
		run->formats |= a->files.v[i].formats;
	}
	return 0;
}

void output_args_fini(struct output_args *a)
{
	free(a->files.v);
}
