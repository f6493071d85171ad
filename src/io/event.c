#include "event.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "strbuf.h"

/* Opening fails if other processes create or remove the FIFO more often than this meanwhile. */
#define TRIES 16

static bool is_bare(const char *name)
{
	return !strchr(name, '/');
}

static char *path_of(const char *name)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	struct strbuf b = { 0 };
	char *path;

	if (is_bare(name))
		strbuf_printf(&b, "%s/fiord-", dir && dir[0] == '/' ? dir : "/tmp");
	strbuf_puts(&b, name);
	path = b.failed ? NULL : strdup(strbuf_str(&b));
	strbuf_fini(&b);
	return path;
}

static int refuse_fifo(struct diag *d, int err, const char *path, const char *why)
{
	return diag_kind(d, DIAG_RUN, err, "%s: %s", path, why);
}

/* Checks that the file is a FIFO, and that it belongs to this user if any user could have created it. */
static int check_fifo(const char *name, const char *path, const struct stat *st, struct diag *d)
{
	if (!S_ISFIFO(st->st_mode))
		return refuse_fifo(d, -EEXIST, path,
				   "it is not a FIFO, so it cannot be an event; choose another name");
	if (is_bare(name) && st->st_uid != geteuid())
		return refuse_fifo(d, -EPERM, path,
				   "it belongs to another user; name an event that users share by a path");
	return 0;
}

/* Returns a descriptor, -ENOENT, or another -errno with d filled. */
static int open_fifo(const char *name, const char *path, int flags, struct diag *d)
{
	struct stat st, now;
	int fd, err;

	if (lstat(path, &st))
		return errno == ENOENT ? -ENOENT : refuse_fifo(d, -errno, path, diag_errno(errno));
	err = check_fifo(name, path, &st, d);
	if (err)
		return err;
	fd = open(path, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT || errno == ENXIO ? -errno
							 : refuse_fifo(d, -errno, path, diag_errno(errno));
	if (fstat(fd, &now) || now.st_dev != st.st_dev || now.st_ino != st.st_ino) {
		close(fd);
		return refuse_fifo(d, -EEXIST, path, "another program has just replaced it");
	}
	return fd;
}

static int open_or_create(struct event *e, const char *name, struct diag *d)
{
	int fd;

	for (unsigned i = 0; i < TRIES; i++) {
		fd = open_fifo(name, e->path, O_RDWR, d);
		if (fd != -ENOENT)
			return fd;
		if (!mkfifo(e->path, 0600))
			e->created = true;
		else if (errno != EEXIST)
			return refuse_fifo(d, -errno, e->path, diag_errno(errno));
	}
	return refuse_fifo(d, -EAGAIN, e->path, "other programs keep creating and removing it");
}

int event_open(struct event *e, const char *name, struct diag *d)
{
	struct stat st;

	*e = (struct event){ .path = path_of(name), .fd = -1 };
	if (!e->path)
		return diag_no_memory(d);
	e->fd = open_or_create(e, name, d);
	if (e->fd < 0)
		return e->fd;
	if (!fstat(e->fd, &st)) {
		e->dev = st.st_dev;
		e->ino = st.st_ino;
	}
	return 0;
}

void event_set(const struct event *e)
{
	/* A full FIFO is set already, so the failure does not matter. */
	if (!event_is_set(e) && write(e->fd, "!", 1) < 0)
		return;
}

bool event_is_set(const struct event *e)
{
	struct pollfd p = { e->fd, POLLIN, 0 };

	return poll(&p, 1, 0) > 0;
}

void event_close(struct event *e)
{
	struct stat st;

	if (e->created && e->fd >= 0 && !lstat(e->path, &st) && st.st_dev == e->dev && st.st_ino == e->ino)
		unlink(e->path);
	if (e->fd >= 0)
		close(e->fd);
	free(e->path);
	*e = (struct event){ .fd = -1 };
}

int event_signal(const char *name, struct diag *d)
{
	struct event e = { .path = path_of(name), .fd = -1 };
	int err = 0;

	if (!e.path)
		return diag_no_memory(d);
	e.fd = open_fifo(name, e.path, O_WRONLY, d);
	if (e.fd == -ENOENT || e.fd == -ENXIO)
		err = refuse_fifo(d, e.fd, e.path, "no program waits for this event or uses it");
	else if (e.fd < 0)
		err = e.fd;
	else if (write(e.fd, "!", 1) < 0 && errno != EAGAIN)
		err = refuse_fifo(d, -errno, e.path, diag_errno(errno));
	event_close(&e);
	return err;
}
