#include "sent_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "strbuf.h"

#define MAGIC 0x66696f7264747874u /* in the byte order of the sender */

/* Begins the record. */
struct head {
	uint64_t magic;
	char version[56];
};

/* Of one file in the record; the path with its NUL and the text follow. */
struct entry {
	uint64_t path_bytes, text_bytes;
	int64_t err;
};

static struct head head_of(const char *version)
{
	struct head h = { .magic = MAGIC };

	snprintf(h.version, sizeof(h.version), "%s", version);
	return h;
}

static int record_file(void *ctx, const char *path, struct strbuf *out)
{
	struct sent_text *t = ctx;
	struct strbuf text = { 0 };
	int err = jobfile_load(path, &text);
	struct entry e = { .path_bytes = strlen(path) + 1, .err = err };

	e.text_bytes = err ? 0 : text.len;
	strbuf_add(&t->record, (const char *)&e, sizeof(e));
	strbuf_add(&t->record, path, e.path_bytes);
	strbuf_add(&t->record, strbuf_str(&text), e.text_bytes);
	strbuf_add(out, strbuf_str(&text), e.text_bytes);
	strbuf_fini(&text);
	return err ? err : out->failed || t->record.failed ? -ENOMEM : 0;
}

/* Copies the entry at *at and moves *at behind it. Returns its path, which its text follows; NULL at the end
   of the record, or if the entry does not fit into it. */
static const char *next_entry(const struct sent_text *t, size_t *at, struct entry *e)
{
	const char *path;
	size_t room = t->record.len - *at;

	if (room < sizeof(*e))
		return NULL;
	memcpy(e, t->record.text + *at, sizeof(*e));
	room -= sizeof(*e);
	path = t->record.text + *at + sizeof(*e);
	if (!e->path_bytes || e->path_bytes > room || e->text_bytes > room - e->path_bytes ||
	    path[e->path_bytes - 1])
		return NULL;
	*at += sizeof(*e) + e->path_bytes + e->text_bytes;
	return path;
}

int sent_text_check(const struct sent_text *t, const char *version, struct diag *d)
{
	struct head own = head_of(version), head;
	size_t at = sizeof(head);
	struct entry e;

	if (t->record.len < sizeof(head))
		return diag_err(d, -EPROTO, "the job text that was sent is cut short");
	memcpy(&head, t->record.text, sizeof(head));
	if (head.magic != own.magic)
		return diag_err(d, -EPROTO,
				"the sender of the job text is another program, or a machine of another "
				"byte order; use the same fiord-mpi on machines of one kind");
	if (memcmp(head.version, own.version, sizeof(head.version)) != 0)
		return diag_err(d, -EPROTO,
				"the sender of the job text is fiord %.*s, and this is %s; install the same "
				"version on all machines",
				(int)sizeof(head.version), head.version, version);
	while (next_entry(t, &at, &e))
		if (e.err > 0 || e.err < -4095)
			break;
	if (at != t->record.len)
		return diag_err(d, -EPROTO, "the job text that was sent is damaged after byte %zu", at);
	return 0;
}

static int read_record(void *ctx, const char *path, struct strbuf *out)
{
	const struct sent_text *t = ctx;
	size_t at = sizeof(struct head);
	struct entry e;
	const char *own;

	while (t->record.len >= at && (own = next_entry(t, &at, &e))) {
		if (strcmp(own, path) != 0)
			continue;
		strbuf_add(out, own + e.path_bytes, e.text_bytes);
		return e.err ? (int)e.err : out->failed ? -ENOMEM : 0;
	}
	return -ENOENT;
}

struct jobfile_source sent_text_recorder(struct sent_text *t, const char *version)
{
	struct head h = head_of(version);

	strbuf_add(&t->record, (const char *)&h, sizeof(h));
	return (struct jobfile_source){ .load = record_file, .ctx = t };
}

struct jobfile_source sent_text_reader(struct sent_text *t)
{
	return (struct jobfile_source){ .load = read_record, .ctx = t, .remote = true };
}
