#include "outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "strbuf.h"

int outputs_init(struct outputs *o, const struct out_file *first, const struct out_file *files, size_t n,
		 struct diag *d)
{
	o->v = calloc(n + 1, sizeof(*o->v));
	if (!o->v)
		return diag_no_memory(d);
	o->n = n + 1;
	for (size_t i = 0; i < o->n; i++) {
		const struct out_file *f = i ? &files[i - 1] : first;

		o->v[i].formats = f->formats;
		output_queue_init(&o->v[i].queue, f->path);
	}
	return 0;
}

static bool is_regular(const char *path)
{
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int unreadable(const char *path, int err, struct diag *d)
{
	return diag_kind(d, DIAG_RUN, -err, "%s: the output of the earlier runs cannot be read: %s", path,
			 diag_errno(err));
}

static int load_file(struct output_queue *q, struct diag *d)
{
	char part[65536];
	ssize_t n;
	int fd = open(q->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return unreadable(q->path, errno, d);
	while ((n = read(fd, part, sizeof(part))) > 0)
		output_queue_put(q, part, (size_t)n);
	if (n < 0)
		unreadable(q->path, errno, d);
	close(fd);
	if (n < 0)
		return d->err;
	return q->text.failed ? diag_no_memory(d) : 0;
}

int outputs_load(struct outputs *o, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; i < o->n && !err; i++)
		if (is_regular(o->v[i].queue.path))
			err = load_file(&o->v[i].queue, d);
	return err;
}

void outputs_put(struct outputs *o, unsigned formats, const char *text, size_t len)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->v[i].formats & formats)
			output_queue_put(&o->v[i].queue, text, len);
	outputs_flush(o);
}

void outputs_flush(struct outputs *o)
{
	for (size_t i = 0; i < o->n; i++)
		output_queue_flush(&o->v[i].queue);
}

bool outputs_only_stdout(const struct outputs *o, unsigned formats)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->v[i].formats & formats && o->v[i].queue.path)
			return false;
	return true;
}

bool outputs_waiting(const struct outputs *o)
{
	return o->n && !o->v[0].queue.path && output_queue_waiting(&o->v[0].queue);
}

bool outputs_backlog_exceeds(const struct outputs *o, size_t bytes)
{
	for (size_t i = 0; i < o->n; i++)
		if (output_queue_waiting(&o->v[i].queue) > bytes)
			return true;
	return false;
}

bool outputs_failed(const struct outputs *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->v[i].queue.error)
			return true;
	return false;
}

bool output_may_block(const struct output *o)
{
	struct stat st;
	const char *path = o->queue.path;

	return !path || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

int output_finish(struct output *o, const struct strbuf *text, struct diag *d)
{
	struct output_queue *q = &o->queue;
	int err = q->error;

	if (!err)
		return output_queue_finish(q, strbuf_str(text), text->len, d);
	output_queue_replace(q, strbuf_str(text), text->len);
	return diag_kind(d, DIAG_OUTPUT, -err,
			 "%s: the output could not be written, so the run was ended: %s",
			 q->path ? q->path : "standard output", diag_errno(err));
}

void outputs_fini(struct outputs *o)
{
	for (size_t i = 0; i < o->n; i++)
		output_queue_fini(&o->v[i].queue);
	free(o->v);
	*o = (struct outputs){ 0 };
}
