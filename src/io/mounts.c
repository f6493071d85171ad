#include "mounts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static bool parse(char *line, struct mount_entry *m)
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
	for (int i = 0; word && i < 4; i++)
		word = strtok_r(NULL, " ", &save);
	m->point = word;
	m->options = word ? strtok_r(NULL, " ", &save) : NULL;
	if (!m->fstype || !m->source || !m->point)
		return false;
	if (!m->super || !m->options)
		m->super = m->options = line + strlen(line); /* a line without the last fields */
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
		found = parse(line, &m) && match(&m, arg);
	}
	free(line);
	fclose(fp);
	return found;
}
