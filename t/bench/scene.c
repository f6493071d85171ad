#include "scene.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include "values.h"

struct measured {
	struct values of[FIGURES][WHO_COUNT];
};

bool section_wants(const char *only, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = only; at && *at; at += strspn(at, ",")) {
		size_t word = strcspn(at, ",");

		if (word <= len && !memcmp(at, name, word) && (word == len || name[word] == '-'))
			return true;
		at += word;
	}
	return !only;
}

static bool takes_part(const struct bench *b, enum who who)
{
	return who != WHO_FIO || b->fio;
}

static int measure(const struct bench *b, const struct scene *s, struct measured *m)
{
	unsigned rounds = s->rounds_max && s->rounds_max < b->rounds ? s->rounds_max : b->rounds;
	struct bench own = *b;

	if (!s->pinned)
		own.cpu = -1;
	for (unsigned k = 0; k < rounds && !run_stopped(); k++) {
		for (enum who who = 0; who < WHO_COUNT; who++) {
			double v[FIGURES] = { NAN, NAN };
			int ret = takes_part(b, who) ? s->measure(&own, s, who, v) : -ENOTSUP;

			if (ret && ret != -ENOTSUP)
				return ret;
			for (unsigned i = 0; i < FIGURES; i++)
				values_add(&m->of[i][who], v[i]);
		}
	}
	return 0;
}

void scene_label(const struct bench *b, const char *label, FILE *out)
{
	for (; *label; label++)
		*label == '#' ? fprintf(out, "%u", b->many) : putc(*label, out);
}

static void begin_row(const struct bench *b, const struct figure *f, FILE *out)
{
	fputs("| ", out);
	scene_label(b, f->label, out);
	fputs(" |", out);
}

static void cell_ratios(FILE *out, const struct figure *f, const struct values *v)
{
	double fiord = values_median(&v[WHO_FIORD]), bare = values_median(&v[WHO_BARE]),
	       fio = values_median(&v[WHO_FIO]);

	if (f->better == BETTER_LOWER) {
		cell_share(out, bare, fiord);
		cell_times(out, fiord, fio);
	} else if (f->better == BETTER_HIGHER) {
		cell_share(out, fiord, bare);
		cell_times(out, fio, fiord);
	} else {
		cell_text(out, "-");
		cell_text(out, "-");
	}
}

static void print_row(const struct bench *b, const struct figure *f, const struct values *v, FILE *out)
{
	char unit[40];

	begin_row(b, f, out);
	if (b->ratios) {
		snprintf(unit, sizeof(unit), " %s", f->unit);
		cell_number(out, values_median(&v[WHO_FIORD]), unit);
	} else {
		cell_text(out, f->unit);
		for (enum who who = 0; who < WHO_COUNT; who++)
			cell_values(out, &v[who]);
	}
	cell_ratios(out, f, v);
	putc('\n', out);
	fflush(out);
}

/* Prints a row without figures. */
static void print_text(const struct bench *b, const struct scene *s, const char *text, const char *why,
		       FILE *out)
{
	begin_row(b, &s->figure[0], out);
	fprintf(out, " %s%s |%s\n", text, why, b->ratios ? " | |" : " | | | | |");
	fflush(out);
}

static int scene_run(const struct bench *b, const struct scene *s, FILE *out)
{
	const char *unfit = s->unfit ? s->unfit(b, s) : NULL;
	struct measured m = { 0 };
	int ret = 0;

	if (unfit) {
		print_text(b, s, "skipped: ", unfit, out);
		return 0;
	}
	ret = measure(b, s, &m);
	if (ret == -EINTR)
		return ret;
	if (ret) {
		print_text(b, s, "failed", "", out);
		return ret;
	}
	for (unsigned i = 0; i < FIGURES && s->figure[i].label; i++)
		print_row(b, &s->figure[i], m.of[i], out);
	return 0;
}

static void print_head(const struct bench *b, const struct section *s, FILE *out)
{
	static bool begun;

	if (b->ratios && !begun) {
		putc('\n', out);
		table_head(out, "scene|fiord|of bare|than fio");
	} else if (!b->ratios) {
		fprintf(out, "\n**%s**\n\n", s->title);
		table_head(out, "scene|unit|fiord|bare loop|fio|of bare|than fio");
	}
	begun = true;
}

int section_run(const struct bench *b, const struct section *s, const char *only, FILE *out)
{
	bool any = false;
	int ret = 0;

	for (const struct scene *scene = s->scenes; scene->name; scene++) {
		int failed;

		if (run_stopped() || !section_wants(only, scene->name))
			continue;
		if (!any)
			print_head(b, s, out);
		any = true;
		failed = scene_run(b, scene, out);
		ret = failed ? failed : ret;
	}
	return ret;
}
