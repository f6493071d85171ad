/* result_environment.c: reads the description of this machine from uname, /proc and /etc. */
#include "result.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "clock.h"
#include "host.h"

/* Copies the value of the first line that begins with key, blanks and sep, without its quotes. Returns false
   if there is none. */
static bool read_key(const char *path, const char *key, char sep, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t len = strlen(key);
	char line[512];
	bool found = false;

	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		char *p = line + len;

		if (strncmp(line, key, len))
			continue;
		p += strspn(p, " \t");
		if (*p != sep)
			continue;
		p++;
		p += strspn(p, " \t\"");
		p[strcspn(p, "\"\n")] = '\0';
		snprintf(buf, size, "%s", p);
		found = *p != '\0';
	}
	fclose(f);
	return found;
}

static const char *copy_text(struct result *r, const char *text)
{
	const char *copy = arena_strdup(&r->mem, text);

	if (!copy)
		r->failed = true;
	return copy ? copy : "unknown";
}

static const char *find_value(struct result *r, const char *path, const char *key, char sep)
{
	char buf[256];

	return read_key(path, key, sep, buf, sizeof(buf)) ? copy_text(r, buf) : "unknown";
}

void result_set_time(struct result *r)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	r->timestamp_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void result_environment(struct result *r)
{
	struct utsname u;
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE),
	     cpus = sysconf(_SC_NPROCESSORS_ONLN);
	bool has_names = uname(&u) == 0;

	result_set_time(r);
	r->env = (struct result_env){
		.host = has_names ? copy_text(r, u.nodename) : "unknown",
		.kernel = has_names ? copy_text(r, u.release) : "unknown",
		.arch = has_names ? copy_text(r, u.machine) : "unknown",
		.os = find_value(r, "/etc/os-release", "PRETTY_NAME", '='),
		.cpu = find_value(r, "/proc/cpuinfo", "model name", ':'),
		.cpus = cpus > 0 ? (unsigned)cpus : 0,
		.memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0,
	};
	host_add(&r->env.props);
	r->failed = r->failed || r->env.props.failed;
	r->clock.source = copy_text(r, clock_source());
}
