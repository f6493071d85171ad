/* resolve_placement.c: where devices place what a job writes (dataplacement and its companions). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "rules.h"
#include "strbuf.h"

#define SCHEME_BYTES_MAX ((size_t)1 << 20)

static void note_unused(struct rule_ctx *r)
{
	static const char *const names[] = { "plid_select", "plids", "dp_scheme" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (rule_section_option(r, names[i]))
			rule_note(r, names[i], "has no effect without {dataplacement}");
}

/* Returns the option that asked for placement. */
static const char *asked_by(const struct rule_ctx *r)
{
	return r->o->placement.fdp ? "fdp" : "dataplacement";
}

static int check_engine(struct rule_ctx *r)
{
	const struct engine *e = r->job->engine;
	bool nvme = e->caps & ENG_PASSTHROUGH && !(e->caps & ENG_SCSI);

	if (r->o->placement.kind == PLACEMENT_FDP && !nvme)
		return rule_refuse(r, asked_by(r),
				   e->caps & ENG_STREAMS
					   ? "{ioengine=%s} sends no NVMe commands; {+ioengine=io_uring_cmd} "
					     "does, and {ioengine=io_uring} takes {+dataplacement=streams}"
					   : "{ioengine=%s} sends no NVMe commands; {+ioengine=io_uring_cmd} "
					     "does",
				   e->name);
	if (r->o->placement.kind == PLACEMENT_STREAMS && nvme)
		return rule_refuse(
			r, "dataplacement",
			"does not go with {ioengine=%s}, because fiord does not send the directive "
			"Streams of NVMe; {+ioengine=io_uring} uses the write streams of Linux",
			e->name);
	if (r->o->placement.kind == PLACEMENT_STREAMS && !(e->caps & ENG_STREAMS))
		return rule_refuse(r, "dataplacement",
				   "{ioengine=%s} has no write streams; {+ioengine=io_uring} does", e->name);
	return 0;
}

/* Refuses options that do not go with placement. */
static int check_placed_job(struct rule_ctx *r)
{
	const struct user_option *mode = job_user_option(r->job, "write_mode");

	if (r->o->placement.kind == PLACEMENT_STREAMS && !r->o->file.direct)
		return rule_refuse(r, "dataplacement",
				   "needs {+direct=1}, because the page cache forgets write streams");
	if (r->o->placement.kind == PLACEMENT_FDP && mode && strcmp(mode->text, "write") != 0)
		return rule_refuse(r, asked_by(r),
				   "contradicts {write_mode=%s}: only plain writes have placement ids",
				   mode->text);
	if (r->o->thread_group.name)
		return rule_refuse(r, asked_by(r), "does not go with {thread_group}");
	return 0;
}

/* Refuses the value of the option, because reading it has failed. */
static int refuse_value(struct rule_ctx *r, const char *option, struct diag *d)
{
	if (d->err == -ENOMEM)
		diag_no_memory(r->d);
	else
		rule_refuse(r, option, "%s", diag_text(d));
	diag_fini(d);
	return r->d->err;
}

static int read_plids(struct rule_ctx *r, struct placement_set *s)
{
	struct diag d = { 0 };

	if (r->o->placement.plids && placement_list_parse(s, r->o->placement.plids, &d))
		return refuse_value(r, "plids", &d);
	return 0;
}

static int read_text_file(struct strbuf *text, const char *path, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int ret = fd < 0 ? -errno : strbuf_read(text, fd, SCHEME_BYTES_MAX, true);

	if (fd >= 0)
		close(fd);
	return ret ? diag_err(d, ret, "%s",
			      ret == -EFBIG ? "the file is larger than 1 MiB, the most that a scheme may have"
			      : ret == -EILSEQ ? "this is not text"
					       : diag_errno(ret))
		   : 0;
}

static int read_scheme(struct rule_ctx *r, struct placement_set *s)
{
	const char *path = r->o->placement.scheme;
	struct strbuf text = { 0 };
	struct diag d = { 0 };
	int ret;

	if (!path)
		return rule_refuse(r, "plid_select",
				   "needs {dp_scheme}, a file with lines of START, END, PLID");
	if (rule_section_option(r, "plids"))
		rule_note(r, "plids",
			  "has no effect, because {plid_select=scheme} takes the numbers of {dp_scheme}");
	ret = read_text_file(&text, path, &d);
	if (!ret)
		ret = placement_scheme_parse(s, &r->set->arena, strbuf_str(&text), path, &d);
	strbuf_fini(&text);
	return ret ? refuse_value(r, "dp_scheme", &d) : 0;
}

static int read_set(struct rule_ctx *r)
{
	struct placement_set *s = arena_alloc(&r->set->arena, sizeof(*s));

	if (!s)
		return diag_no_memory(r->d);
	s->select = r->o->placement.select;
	r->o->placement.set = s;
	if (s->select == PLACEMENT_SCHEME)
		return read_scheme(r, s);
	if (rule_section_option(r, "dp_scheme"))
		rule_note(r, "dp_scheme", "has no effect without {plid_select=scheme}");
	return read_plids(r, s);
}

int rule_placement(struct rule_ctx *r)
{
	struct placement_cfg *p = &r->o->placement;

	if (p->fdp && p->kind == PLACEMENT_STREAMS)
		return rule_refuse(r, "fdp", "contradicts {dataplacement=streams}");
	if (p->fdp)
		p->kind = PLACEMENT_FDP;
	if (p->kind && !(job_access(r->job) & RW_WRITE)) {
		rule_note(r, asked_by(r), "has no effect, because the job does not write");
		p->kind = PLACEMENT_NONE;
		return 0;
	}
	if (!p->kind) {
		note_unused(r);
		return 0;
	}
	if (check_engine(r) || check_placed_job(r))
		return r->d->err;
	return read_set(r);
}
