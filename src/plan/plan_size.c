/* plan_size.c: sizes in errors, as people read and write them. */
#include <string.h>
#include "plan_build.h"
#include "strbuf.h"
#include "units.h"

static const char *arena_text(struct build *b, struct strbuf *s)
{
	const char *text = s->failed ? NULL : arena_strdup(&b->p->arena, strbuf_str(s));

	strbuf_fini(s);
	return text ? text : "";
}

const char *plan_bytes(struct build *b, uint64_t bytes)
{
	struct strbuf s = { 0 };

	units_put_exact(&s, bytes);
	return arena_text(b, &s);
}

const char *plan_size_text(struct build *b, uint64_t bytes)
{
	struct strbuf s = { 0 };

	units_print_size(&s, bytes);
	return arena_text(b, &s);
}

const char *plan_overridden_size(struct build *b, const struct job *job)
{
	static const char *const names[] = { "size", "filesize", "offset", "io_size", "bs" };
	struct strbuf s = { 0 };

	for (size_t i = 0; i < job->overridden.n; i++) {
		const struct user_option *g = &job->overridden.v[i], *is = job_user_option(job, g->name);

		for (size_t n = 0; g->text && is && n < sizeof(names) / sizeof(names[0]); n++)
			if (!strcmp(g->name, names[n]))
				strbuf_printf(
					&s,
					"; --%s=%s had no effect, because %s:%u sets %s=%s: use --set %s=%s",
					g->name, g->text, is->at.file, is->at.line, g->name,
					is->text ? is->text : "", g->name, g->text);
	}
	return arena_text(b, &s);
}
