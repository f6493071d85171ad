/* two_readers.c FILE...: reads each JSON document of the files with cJSON and with fiord's own readers, and
   compares every value: kind, key, text and number with jsonr's, and the figures of a result with those of
   src/result. Prints how many values and figures are equal. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "figures.h"
#include "jsonr.h"
#include "read.h"

static struct {
	const char *file;
	unsigned long values, figures, differences;
	struct arena mem;
} state;

static void differs(const char *path, const char *what)
{
	state.differences++;
	fprintf(stderr, "two_readers: %s: %s: %s differs\n", state.file, path, what);
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-6 + 1e-12 * fabs(a);
}

/* ---- jsonr ---- */

static enum json_kind kind_of(const cJSON *c)
{
	return cJSON_IsObject(c)   ? JSON_OBJECT
	       : cJSON_IsArray(c)  ? JSON_ARRAY
	       : cJSON_IsString(c) ? JSON_STRING
	       : cJSON_IsNumber(c) ? JSON_NUMBER
	       : cJSON_IsBool(c)   ? JSON_BOOL
				   : JSON_NULL;
}

static bool same_scalar(const cJSON *c, struct json j)
{
	const char *text;
	double v;

	switch (kind_of(c)) {
	case JSON_STRING:
		text = json_text(j, &state.mem);
		return text && !strcmp(text, c->valuestring);
	case JSON_NUMBER:
		return !json_double(j, &v) && memcmp(&v, &c->valuedouble, sizeof(v)) == 0;
	case JSON_BOOL:
		return (j.end - j.at == 4) == cJSON_IsTrue(c);
	default:
		return true;
	}
}

static void compare(const cJSON *c, struct json j, const char *path)
{
	struct json_iter it = json_iter(j);
	const cJSON *child = c->child;
	char below[512];

	state.values++;
	if (kind_of(c) != json_kind(j) || !same_scalar(c, j)) {
		differs(path, "the value");
		return;
	}
	for (; json_next(&it); child = child->next) {
		const char *key = it.key.at ? json_text(it.key, &state.mem) : NULL;

		if (!child || (key && strcmp(key, child->string) != 0)) {
			differs(path, "a key");
			return;
		}
		snprintf(below, sizeof(below), "%s.%.100s", path, key ? key : "[]");
		compare(child, it.value, below);
	}
	if (child)
		differs(path, "the number of entries");
}

/* ---- src/result ---- */

/* Returns the value below `at`; name has periods between the keys. */
static const cJSON *find(const cJSON *at, const char *name)
{
	char key[64];

	while (at && *name) {
		size_t len = strcspn(name, ".");

		snprintf(key, sizeof(key), "%.*s", (int)len, name);
		at = cJSON_GetObjectItemCaseSensitive(at, key);
		name += len + (name[len] == '.');
	}
	return at;
}

/* Without a search this key has the depth of the job, which is no figure. */
static bool is_depth(const struct figure *f, const void *from)
{
	return f->of == FIGURE_JOB && f->needs == NEEDS_TARGET &&
	       !((const struct result_job *)from)->latency_target.on;
}

/* Compares the figures of a struct with the members of an object, or of the object `fiord`. */
static void compare_figures(enum figure_of of, const void *from, const cJSON *object, const cJSON *fiord)
{
	FIGURES_EACH (f) {
		const cJSON *c = find(object, f->name);
		double v, scale = f->scale;

		c = c ? c : find(fiord, f->name);
		if (f->of != of || f->form == FORM_KIB || is_depth(f, from) ||
		    (!cJSON_IsNumber(c) && !cJSON_IsBool(c)))
			continue;
		v = cJSON_IsBool(c) ? cJSON_IsTrue(c) : c->valuedouble;
		state.figures++;
		if (!is_near(v, figure_value(f, from) / scale))
			differs(f->name, "the figure");
	}
}

static void compare_job(const struct result_job *job, const cJSON *c)
{
	static const char *const dirs[] = { "read", "write", "trim" };
	static const char *const kinds[] = { "slat_ns", "clat_ns", "lat_ns", "resp_ns" };
	const cJSON *fiord = find(c, "fiord");

	compare_figures(FIGURE_JOB, job, c, fiord);
	for (unsigned d = 0; d < 3; d++) {
		const char *key = job->mixed && !d ? "mixed" : dirs[d];

		compare_figures(FIGURE_DIR, &job->sum.dir[d], find(c, key), find(fiord, key));
		for (unsigned k = 0; k < LAT_KINDS; k++)
			compare_figures(FIGURE_LAT, &job->sum.dir[d].lat[k], find(find(c, key), kinds[k]),
					find(find(fiord, key), kinds[k]));
	}
}

static void compare_result(const char *path, const cJSON *root)
{
	const cJSON *jobs = find(root, find(root, "jobs") ? "jobs" : "client_stats");
	struct result_set set = { 0 };
	struct diag d = { 0 };

	if (result_read_file(&set, path, &d) || set.n != 1) {
		differs(path, diag_text(&d));
	} else {
		struct result *r = set.res[0];

		for (size_t i = 0; i < r->njobs; i++)
			compare_job(r->jobs[i], cJSON_GetArrayItem(jobs, (int)i));
		for (size_t i = 0; i < r->ndisks; i++)
			compare_figures(FIGURE_DISK, &r->disks[i],
					cJSON_GetArrayItem(find(root, "disk_util"), (int)i), NULL);
		compare_figures(FIGURE_RUN, r, root, NULL);
	}
	result_set_free(&set);
	diag_fini(&d);
}

/* ---- files ---- */

/* Compares the document at the beginning of the text. Returns what follows it; NULL if one reader refuses it.
 */
static const char *compare_document(const char *text)
{
	const char *end = NULL, *at;
	cJSON *c = cJSON_ParseWithOpts(text, &end, 0);
	struct json j;
	const char *error = json_parse(text, strlen(text), &j, &at);

	if (!c || error)
		differs("document", error ? error : "cJSON refuses it: the text");
	else
		compare(c, j, "");
	if (c && !error && find(c, "fio version"))
		compare_result(state.file, c);
	cJSON_Delete(c);
	return c && !error ? end : NULL;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "r");
		char *text = NULL;
		size_t size = 0;

		state.file = argv[i];
		if (!f || getdelim(&text, &size, '\0', f) < 0) {
			differs("file", "reading it");
		} else {
			for (const char *at = text; at && at[strspn(at, " \n")];)
				at = compare_document(at);
		}
		free(text);
		if (f)
			fclose(f);
		arena_fini(&state.mem);
		state.mem = (struct arena){ 0 };
	}
	printf("%lu values, %lu figures\n", state.values, state.figures);
	return state.differences != 0;
}
