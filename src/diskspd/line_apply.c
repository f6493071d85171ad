/* line_apply.c: applies the options of a line with -X to the profile. */
#include <errno.h>
#include "profile_check.h"
#include "line.h"

static void override(const struct ds_line *l, struct ds_span *to)
{
	const struct ds_span *from = l->profile.spans;

	if (l->warmup_given)
		to->warmup_s = from->warmup_s;
	if (l->duration_given)
		to->duration_s = from->duration_s;
	if (l->cooldown_given)
		to->cooldown_s = from->cooldown_s;
	if (l->seed_given) {
		to->seed = from->seed;
		to->seed_clock = from->seed_clock;
	}
}

static void override_all(const struct ds_line *l, struct ds_profile *xml)
{
	for (size_t i = 0; i < xml->nspans; i++)
		override(l, &xml->spans[i]);
	if (l->verbose_given)
		xml->verbose = l->profile.verbose;
	if (l->verbose_stats_given)
		xml->verbose_stats = l->profile.verbose_stats;
	if (l->format_given)
		xml->format = l->profile.format;
	if (l->experiments_given)
		xml->experiment_flags = l->profile.experiment_flags;
}

/* Returns the highest template number in the profile; 0: none, -1: a name begins with * and is not a
   template. */
static int highest_template(const struct ds_profile *p)
{
	int max = 0;

	for (size_t i = 0; i < p->nspans; i++) {
		for (size_t k = 0; k < p->spans[i].ntargets; k++) {
			const char *path = p->spans[i].targets[k].path;
			int n = path ? ds_template_number(path) : 0;

			if (n < 0)
				return -1;
			max = n > max ? n : max;
		}
	}
	return max;
}

static int substitute(const struct ds_line *l, struct ds_profile *xml, struct diag *d)
{
	const struct ds_span *given = l->profile.spans;

	for (size_t i = 0; i < xml->nspans; i++) {
		for (size_t k = 0; k < xml->spans[i].ntargets; k++) {
			char **path = &xml->spans[i].targets[k].path;
			int n = *path ? ds_template_number(*path) : 0;

			if (n < 1 || (size_t)n > given->ntargets)
				continue;
			*path = arena_strdup(&xml->mem, given->targets[n - 1].path);
			if (!*path)
				return diag_err(d, -ENOMEM, "out of memory");
		}
	}
	return 0;
}

int ds_line_apply(const struct ds_line *l, struct ds_profile *xml, struct notes *notes, struct diag *d)
{
	struct ds_check_cfg c = { .dialect = l->dialect,
				  .xml_names = true,
				  .allow_templates = l->show == DS_SHOW_PROFILE };
	size_t given = l->profile.spans->ntargets;
	int wanted = highest_template(xml), ret = 0;

	if (wanted >= 0 && given > (size_t)wanted)
		ret = diag_err(
			d, -EINVAL,
			"-X%s: %zu targets are given, but the profile has %d template%s (*1 ...) to fill",
			l->xml_file, given, wanted, wanted == 1 ? "" : "s");
	else if (wanted >= 0 && given < (size_t)wanted && !c.allow_templates)
		ret = diag_err(d, -EINVAL,
			       "-X%s: the profile has templates up to *%d: name as many targets after it "
			       "(%zu given)",
			       l->xml_file, wanted, given);
	if (!ret)
		ret = substitute(l, xml, d);
	if (ret)
		return ret;
	override_all(l, xml);
	ret = ds_profile_check(&c, xml, notes, d);
	return ret ? diag_wrap(d, "%s", l->xml_file) : 0;
}
