/* fuzz_replay_map: the input is the value of replay_map for a trace of four devices, some with colons and
   equals signs in their names. A second reader of this language says whether the value is valid and which
   target each device has. */
#include <ctype.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "cmdline.h"
#include "fuzz_must.h"
#include "replay.h"
#include "strbuf.h"

#define DEVICES     4
#define ENTRIES_MAX 64
#define VALUE_MAX   1024

static const char *const device[DEVICES] = { "a", "b:c", "d=e", "f\\g" };

struct reader {
	char text[VALUE_MAX + 1]; /* names and paths, each with its end */
	const char *name[ENTRIES_MAX], *path[ENTRIES_MAX];
	unsigned n;
};

/* Reads the entries by one automaton over the bytes: state 0 is in a name, 1 in a path. Returns whether each
   has both parts. */
static bool read_entries(struct reader *r, const char *value)
{
	char *to = r->text;
	bool in_path = false;

	r->name[0] = to;
	for (const char *s = value;; s++) {
		if (s[0] == '\\' && (s[1] == ':' || s[1] == '=')) {
			*to++ = *++s;
		} else if (*s == '=' && !in_path) {
			*to++ = '\0';
			r->path[r->n] = to;
			in_path = true;
		} else if (*s == ':' || !*s) {
			*to++ = '\0';
			if (!in_path || !*r->name[r->n] || ++r->n == ENTRIES_MAX)
				return false;
			if (!*s || !s[1])
				return true;
			r->name[r->n] = to;
			in_path = false;
		} else {
			*to++ = *s;
		}
	}
}

static const char *path_of(const struct reader *r, const char *name)
{
	for (unsigned i = 0; i < r->n; i++)
		if (!strcmp(r->name[i], name))
			return r->path[i];
	return NULL;
}

/* Returns whether each device has one entry, each entry is of a device, and some device has a target. */
static bool is_valid(const struct reader *r)
{
	bool any = false;

	for (unsigned i = 0; i < DEVICES; i++) {
		const char *path = path_of(r, device[i]);

		if (!path)
			return false;
		any |= *path != '\0';
	}
	return any && r->n == DEVICES; /* four names that cover four devices: no other, none twice */
}

/* The targets are in the order of the first I/Os to them. */
static void check_targets(const struct reader *r, const struct job *job)
{
	const struct replay_facts *f = job->opts.replay.facts;
	const char *seen[DEVICES];
	struct strbuf names = { 0 };
	uint32_t n = 0;

	for (unsigned i = 0; i < DEVICES; i++) {
		const char *path = path_of(r, device[i]);
		uint32_t k = 0;

		while (k < n && strcmp(seen[k], path) != 0)
			k++;
		must(f->target[i] == (*path ? k + 1 : REPLAY_LEFT_OUT), "wrong target", device[i]);
		if (!*path || k < n)
			continue;
		seen[n++] = path;
		strbuf_puts(&names, n > 1 ? ":" : "");
		for (const char *s = path; *s; s++)
			strbuf_printf(&names, "%s%c", *s == ':' ? "\\" : "", *s);
	}
	must(f->targets == n, "wrong number of targets", "");
	must(!strcmp(job->opts.files.filename, strbuf_str(&names)), "wrong paths", job->opts.files.filename);
	strbuf_fini(&names);
}

/* Returns whether no other rule than that of the map can refuse the value. */
static bool is_plain(const char *value)
{
	for (; *value; value++)
		if (!isalnum((unsigned char)*value) && !strchr(":=\\", *value))
			return false;
	return true;
}

static void run(const char *trace, const char *value)
{
	static char program[] = "fiord", name[] = "--name=p", engine[] = "--ioengine=null";
	struct strbuf log = { 0 }, map = { 0 };
	struct reader r = { 0 };
	struct job_set set = { 0 };
	struct cmdline c = { 0 };
	struct diag d = { 0 };
	bool valid = read_entries(&r, value) && is_valid(&r);
	int err;

	strbuf_printf(&log, "--read_iolog=%s", trace);
	strbuf_printf(&map, "--replay_map=%s", value);
	char *argv[] = { program, name, engine, log.text, map.text, NULL };

	err = cmdline_parse(&c, &set, 5, argv, &d);
	must((err != 0) == (d.text != NULL) && (!err || !strchr(diag_text(&d), '\n')), "no one-line error",
	     value);
	must(err || valid, "accepted", value);
	must(!err || !valid || !is_plain(value), "refused", value);
	if (!err)
		check_targets(&r, &set.jobs[0]);
	job_set_fini(&set);
	diag_fini(&d);
	strbuf_fini(&log);
	strbuf_fini(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf trace = { 0 };
	char path[32], value[VALUE_MAX + 1];
	int fd;

	if (!size)
		return 0;
	fd = memfd_create("trace", 0);
	strbuf_puts(&trace, "fio version 3 iolog\n");
	for (unsigned i = 0; i < DEVICES; i++)
		strbuf_printf(&trace, "0 %s add\n0 %s open\n0 %s read 0 512\n", device[i], device[i],
			      device[i]);
	size = size < VALUE_MAX ? size : VALUE_MAX;
	memcpy(value, data, size);
	value[size] = '\0';
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, trace.text, trace.len) == (ssize_t)trace.len && *value)
		run(path, value);
	close(fd);
	strbuf_fini(&trace);
	return 0;
}
