#include "result_pack.h"

#include <errno.h>
#include <string.h>
#include "hosts.h"
#include "pack_coder.h"
#include "strbuf.h"

/* Changes with each change of the format or of a struct that is packed as a list of numbers. */
#define FORMAT 6
#define MAGIC  "fiordpak"

static void code_exit(struct coder *c, struct result_exit *e)
{
	size_t n = e->count;

	code_length(c, &n);
	for (size_t i = 0; i < n; i++) {
		int code = c->out ? e->all[i] : 0;

		CODE(c, code);
		if (!c->out && code > 0)
			result_exit_code(c->r, code);
	}
	CODE(c, e->signal);
	CODE(c, e->ran_ns);
}

static void code_disks(struct coder *c)
{
	size_t n = c->r->ndisks;

	code_length(c, &n);
	for (size_t i = 0; i < n; i++) {
		struct result_disk d = { 0 };

		if (c->out)
			d = c->r->disks[i];
		CODE(c, d.level);
		code_figures(c, figures_disk, &d);
		if (!c->out && d.name)
			result_add_disk(c->r, &d);
		c->bad |= !d.name;
	}
}

static void code_hosts(struct coder *c)
{
	size_t n = c->r->hosts.n;

	code_length(c, &n);
	for (size_t i = 0; i < n && !c->bad; i++) {
		struct result_host h = { 0 };

		if (c->out)
			h = c->r->hosts.v[i];
		code_figures(c, figures_host, &h);
		code_figures(c, figures_host_waves, &h);
		c->bad |= !h.hostname;
		if (!c->out && !c->bad)
			result_add_host(c->r, &h);
	}
}

static void code_frame(struct coder *c)
{
	struct result *r = c->r;
	const struct result_opt *global = r->globals;
	size_t globals = r->nglobals;

	CODE(c, r->as_fio);
	CODE(c, r->timestamp_ms);
	code_figures(c, figures_machine, &r->env);
	code_text(c, &r->clock.source);
	code_options(c, &global, &globals);
	r->globals = global;
	r->nglobals = globals;
	code_notes(c, &r->notes);
	code_figures(c, figures_self, r);
	code_exit(c, &r->exit);
	code_disks(c);
	code_hosts(c);
	CODE(c, r->plan.workers);
	CODE(c, r->plan.processes);
	CODE(c, r->plan.threads);
}

static void pack_header(const struct result *r, struct strbuf *out)
{
	strbuf_puts(out, MAGIC);
	pack_put_number(out, FORMAT);
	pack_put_number(out, sizeof(struct wcount) + sizeof(struct wstat_dir));
	pack_put_number(out, strlen(r->version));
	strbuf_puts(out, r->version);
}

static int refuse_header(const struct strbuf *expected, const unsigned char *pack, size_t bytes,
			 struct diag *d)
{
	size_t magic = strlen(MAGIC);

	if (bytes < magic || memcmp(pack, MAGIC, magic) != 0)
		return diag_kind(d, DIAG_RUN, -EBADMSG, "this is not a result of fiord");
	if (bytes < expected->len || memcmp(pack, expected->text, expected->len) != 0)
		return diag_kind(d, DIAG_RUN, -EPROTO, "the result comes from another version of fiord");
	return 0;
}

int result_pack(const struct result *r, struct strbuf *out)
{
	struct result copy = *r;
	struct coder c = { .out = out, .r = &copy };

	pack_header(r, out);
	code_frame(&c);
	code_jobs(&c);
	code_series(&c);
	return out->failed ? -ENOMEM : 0;
}

static int unpack_rest(struct coder *c, struct diag *d)
{
	code_frame(c);
	if (!c->bad)
		code_jobs(c);
	if (!c->bad && !c->r->failed)
		code_series(c);
	if (c->r->failed)
		return diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for a result");
	if (c->bad || c->at != c->end)
		return diag_kind(d, DIAG_RUN, -EBADMSG, "this result of fiord is damaged");
	result_finish(c->r);
	return 0;
}

int result_unpack(struct result *r, const char *version, const void *pack, size_t bytes, struct diag *d)
{
	struct strbuf header = { 0 };
	struct coder c = { .r = r };
	int ret;

	result_init(r, "fiord", version, "");
	pack_header(r, &header);
	ret = header.failed ? diag_kind(d, DIAG_RUN, -ENOMEM, "out of memory for a result")
			    : refuse_header(&header, pack, bytes, d);
	if (!ret) {
		c.at = (const unsigned char *)pack + header.len;
		c.end = (const unsigned char *)pack + bytes;
		ret = unpack_rest(&c, d);
	}
	strbuf_fini(&header);
	return ret;
}
