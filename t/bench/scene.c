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
	for (unsigned k = 0; k < rounds; k++) {
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

static void print_row(FILE *out, const struct figure *f, const struct values *v)
{
	double fiord = values_median(&v[WHO_FIORD]), bare = values_median(&v[WHO_BARE]),
	       fio = values_median(&v[WHO_FIO]);

	putc('|', out);
	cell_text(out, f->label);
	cell_text(out, f->unit);
	for (enum who who = 0; who < WHO_COUNT; who++)
		cell_values(out, &v[who]);
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
	putc('\n', out);
	fflush(out);
}

static int scene_run(const struct bench *b, const struct scene *s, FILE *out)
{
	const char *unfit = s->unfit ? s->unfit(b, s) : NULL;
	struct measured m = { 0 };
	int ret = 0;

	if (unfit) {
		fprintf(out, "| %s | skipped: %s | | | | | |\n", s->figure[0].label, unfit);
		return 0;
	}
	ret = measure(b, s, &m);
	if (ret) {
		fprintf(out, "| %s | failed | | | | | |\n", s->figure[0].label);
		return ret;
	}
	for (unsigned i = 0; i < FIGURES && s->figure[i].label; i++)
		print_row(out, &s->figure[i], m.of[i]);
	return 0;
}

int section_run(const struct bench *b, const struct section *s, const char *only, FILE *out)
{
	bool any = false;
	int ret = 0;

	for (const struct scene *scene = s->scenes; scene->name; scene++) {
		int failed;

		if (!section_wants(only, scene->name))
			continue;
		if (!any) {
			fprintf(out, "\n**%s**\n\n", s->title);
			table_head(out, "scene|unit|fiord|bare loop|fio|of bare|than fio");
		}
		any = true;
		failed = scene_run(b, scene, out);
		ret = failed ? failed : ret;
	}
	return ret;
}
