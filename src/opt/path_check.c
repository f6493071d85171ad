/* path_check.c: paths that the lines of a job file cannot hold. */
#include <errno.h>
#include <string.h>
#include "opt.h"

/* In job files ';' and '#' begin comments, and ${...} is a variable of the environment. */
int opt_path_check(const char *path, struct diag *d)
{
	static const char *const words[] = { "${", "$pagesize", "$mb_memory", "$ncpus" };
	size_t n = strlen(path);

	if (!n || strpbrk(path, ";#\r\n\t") || path[0] == ' ' || path[n - 1] == ' ')
		return diag_err(d, -EINVAL,
				"%.200s: a job file cannot hold this path (';' and '#' begin comments there, "
				"and blanks around a value are lost); use another name, such as a link",
				path);
	if (path[n - 1] == '\\')
		return diag_err(d, -EINVAL,
				"%.200s: a job file cannot hold a path that ends in '\\'; use another name, "
				"such as a link",
				path);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(path, words[i]))
			return diag_err(d, -EINVAL,
					"%.200s: a job file cannot hold this path (%s has a meaning there); "
					"use another name, such as a link",
					path, words[i]);
	return 0;
}
