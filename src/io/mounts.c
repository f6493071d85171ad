#include "mounts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static bool is_octal(const char *s)
{
	for (int i = 0; i < 3; i++)
		if (s[i] < '0' || s[i] > '7')
			return false;
	return true;
}

void mounts_unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (*s == '\\' && is_octal(s + 1)) {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* Parses "36 35 98:0 /root /point options [optional ...] - fstype source options". */
static bool parse_mount(char *line, struct mount_entry *m)
{
	unsigned major, minor;
	char *tail = strstr(line, " - "), *save, *word;

	if (!tail || sscanf(line, "%" SCNu64 " %*s %u:%u", &m->id, &major, &minor) != 3)
		return false;
	m->dev = makedev(major, minor);
	*tail = '\0';
	m->fstype = strtok_r(tail + 3, " ", &save);
	m->source = strtok_r(NULL, " ", &save);
	m->super = m->source ? strtok_r(NULL, " ", &save) : NULL;
	word = strtok_r(line, " ", &save);
	for (int i = 0; word && i < 3; i++)
		word = strtok_r(NULL, " ", &save);
	m->root = word;
	m->point = word ? strtok_r(NULL, " ", &save) : NULL;
	m->options = m->point ? strtok_r(NULL, " ", &save) : NULL;
	if (!m->fstype || !m->source || !m->point)
		return false;
	if (!m->super || !m->options)
		m->super = m->options = line + strlen(line); /* a line without the last fields */
	mounts_unescape(m->root);
	mounts_unescape(m->point);
	mounts_unescape(m->source);
	mounts_unescape(m->options);
	mounts_unescape(m->super);
	return true;
}

bool mounts_any(bool (*match)(const struct mount_entry *m, void *arg), void *arg)
{
	FILE *fp = fopen("/proc/self/mountinfo", "re");
	struct mount_entry m;
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	bool found = false;

	if (!fp)
		return false;
	while (!found && (n = getline(&line, &size, fp)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = parse_mount(line, &m) && match(&m, arg);
	}
	free(line);
	fclose(fp);
	return found;
}

uint64_t mounts_id(const char *path)
{
	struct statx sx;

	if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_MNT_ID, &sx) || !(sx.stx_mask & STATX_MNT_ID))
		return 0;
	return sx.stx_mnt_id;
}

struct place_query {
	uint64_t mount;
	const char *real;
	struct mounts_place *place;
};

/* Replaces the mount point at the beginning of the path by the root of the mount. */
static bool take_place(const struct mount_entry *m, void *arg)
{
	const struct place_query *q = arg;
	size_t n = strcmp(m->point, "/") ? strlen(m->point) : 0, size = sizeof(q->place->path);
	const char *root = strcmp(m->root, "/") ? m->root : "";

	if (m->id != q->mount || strncmp(q->real, m->point, n) || (q->real[n] && q->real[n] != '/'))
		return false;
	q->place->dev = m->dev;
	return (size_t)snprintf(q->place->path, size, "%s%s", root, q->real + n) < size;
}

bool mounts_find_place(struct mounts_place *p, const char *real, uint64_t mount)
{
	struct place_query q = { mount, real, p };

	return mount && mounts_any(take_place, &q);
}
