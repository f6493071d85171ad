#include "sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "vec.h"

static int end_file(struct sections *s)
{
	int err = section_check_layers(s);

	for (size_t i = 0; i < s->layers.n && !err; i++)
		err = section_refuse_unused(s, s->layers.v[i],
					    s->layers.v[i] == s->defaults ? FROM_DEFAULTS : FROM_GLOBAL);
	return err;
}

static bool is_selected(const struct sections *s, const char *name)
{
	for (size_t i = 0; i < s->selected->n; i++)
		if (!strcmp(s->selected->v[i], name))
			return true;
	return !s->selected->n;
}

int sections_command_line(struct sections *s, struct jobfile *jobs)
{
	int err = VEC_PUSH(&s->layers, s->defaults) ? 0 : diag_no_memory(s->d);

	s->files += jobs->n > 0;
	for (size_t i = 0; i < jobs->n && !err; i++)
		err = section_make_job(s, &jobs->v[i], false);
	return err;
}

int sections_file(struct sections *s, struct jobfile *f, bool first)
{
	bool begins = !first;
	int err = 0;

	s->layers.n = first ? 1 : 0;
	s->files++;
	if (!first && s->defaults->n)
		notes_add(&s->set->notes, "options of the command line are defaults for the first job file "
					  "only; --set applies to all");
	for (size_t i = 0; i < f->n && !err; i++) {
		struct raw_section *sec = &f->v[i];

		if (sec->global) {
			err = VEC_PUSH(&s->layers, sec) ? 0 : diag_no_memory(s->d);
			continue;
		}
		if (!VEC_PUSH(&s->names, sec->name))
			err = diag_no_memory(s->d);
		if (err || !is_selected(s, sec->name))
			continue;
		err = section_make_job(s, sec, begins);
		begins = false;
	}
	err = err ? err : end_file(s);
	s->layers.n = 0;
	return err;
}

static int refuse_unknown_sections(struct sections *s)
{
	struct strbuf list = { 0 };

	for (size_t i = 0; i < s->selected->n; i++) {
		bool found = false;

		for (size_t j = 0; j < s->names.n && !found; j++)
			found = !strcmp(s->names.v[j], s->selected->v[i]);
		if (found)
			continue;
		for (size_t j = 0; j < s->names.n && j < 20; j++)
			strbuf_printf(&list, "%s%s", j ? ", " : "", s->names.v[j]);
		diag_err(s->d, -EINVAL, "--section=%s: no such section; %s%s%s", s->selected->v[i],
			 s->names.n ? "the sections are " : "the job files have none", strbuf_str(&list),
			 s->names.n > 20 ? ", ..." : "");
		strbuf_fini(&list);
		return -EINVAL;
	}
	return 0;
}

int sections_finish(struct sections *s)
{
	struct job_set *set = s->set;
	int err = refuse_unknown_sections(s);

	if (!err && s->layers.n) /* no file followed the command line */
		err = end_file(s);
	if (!err && set->njobs)
		err = section_refuse_unused(s, s->sets, FROM_SET);
	for (size_t i = 0; i < set->njobs && !err; i++)
		err = resolve_job(set, &set->jobs[i], s->d);
	return err ? err : resolve_count(set, s->d);
}

void sections_fini(struct sections *s)
{
	free(s->layers.v);
	free(s->names.v);
	*s = (struct sections){ 0 };
}
