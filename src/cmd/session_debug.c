#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include "messages.h"
#include "strbuf.h"

static const struct run_opts *opts_of(const struct session *s)
{
	return &s->planning->set->run;
}

bool session_debug_in_report(const struct session *s)
{
	return opts_of(s)->as_fio && opts_of(s)->formats & OUT_NORMAL;
}

static void put_debug_text(struct session *s, struct strbuf *b)
{
	if (session_debug_in_report(s))
		outputs_put(&s->display.out, OUT_NORMAL, strbuf_str(b), b->len);
	else
		fputs(strbuf_str(b), stderr);
	strbuf_fini(b);
}

void session_debug_plan(struct session *s)
{
	struct strbuf b = { 0 };

	messages_plan(&s->planning->plan, &b);
	put_debug_text(s, &b);
}

int session_debug_open(struct session *s, struct diag *d)
{
	struct plan *p = &s->planning->plan;
	bool in_report = session_debug_in_report(s);

	p->debug_fd = in_report ? STDOUT_FILENO : STDERR_FILENO;
	if (!(opts_of(s)->debug & DEBUG_IO) || !in_report || outputs_only_stdout(&s->display.out, OUT_NORMAL))
		return 0;
	s->display.debug = tmpfile();
	if (!s->display.debug)
		return diag_kind(d, DIAG_OUTPUT, -errno, "--debug=io: no temporary file can be created: %s",
				 diag_errno(errno));
	p->debug_fd = fileno(s->display.debug);
	fcntl(p->debug_fd, F_SETFD, FD_CLOEXEC);
	return 0;
}

/* Moves the workers' lines into the report. */
static void put_worker_lines(struct session *s)
{
	char part[65536];
	size_t n;

	if (!s->display.debug)
		return;
	rewind(s->display.debug);
	while ((n = fread(part, 1, sizeof(part), s->display.debug)) > 0)
		outputs_put(&s->display.out, OUT_NORMAL, part, n);
}

void session_debug_workers(struct session *s)
{
	struct strbuf b = { 0 };

	put_worker_lines(s);
	messages_workers(&s->run, &b);
	put_debug_text(s, &b);
}

void session_debug_fini(struct session *s)
{
	if (s->display.debug)
		fclose(s->display.debug);
}
