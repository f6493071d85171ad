#include "kernel_counters.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sysfs.h"

/* Columns of /proc/net/snmp: a line of names, then a line of numbers, both with the protocol in front. */
static const struct {
	const char *of, *column;
	enum kern_count count;
} snmp[] = {
	{ "Tcp:", "ActiveOpens", KERN_TCP_CONNECTS }, { "Tcp:", "PassiveOpens", KERN_TCP_ACCEPTS },
	{ "Tcp:", "InSegs", KERN_TCP_RECEIVED },      { "Tcp:", "OutSegs", KERN_TCP_SENT },
	{ "Tcp:", "RetransSegs", KERN_TCP_RESENT },   { "Udp:", "InDatagrams", KERN_UDP_RECEIVED },
	{ "Udp:", "OutDatagrams", KERN_UDP_SENT },
};

static FILE *open_proc(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/%s", sysfs_root, name);
	return fopen(path, "re");
}

static void set(struct kernel_counters *s, enum kern_count count, uint64_t v)
{
	s->v[count] += v;
	s->known[count] = true;
}

static void read_forks(struct kernel_counters *s)
{
	FILE *f = open_proc("stat");
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0)
		if (!strncmp(line, "processes ", 10))
			set(s, KERN_FORKS, strtoull(line + 10, NULL, 10));
	free(line);
	if (f)
		fclose(f);
}

static void set_column(struct kernel_counters *s, const char *of, const char *column, const char *number)
{
	for (unsigned i = 0; i < sizeof(snmp) / sizeof(*snmp); i++)
		if (!strcmp(snmp[i].of, of) && !strcmp(snmp[i].column, column))
			set(s, snmp[i].count, strtoull(number, NULL, 10));
}

static void take_columns(struct kernel_counters *s, char *names, char *numbers)
{
	char *more[2] = { NULL, NULL };
	const char *of = strtok_r(names, " \n", &more[0]), *same = strtok_r(numbers, " \n", &more[1]);

	while (of && same && !strcmp(of, same)) {
		const char *name = strtok_r(NULL, " \n", &more[0]), *number = strtok_r(NULL, " \n", &more[1]);

		if (!name || !number)
			break;
		set_column(s, of, name, number);
	}
}

static void read_snmp(struct kernel_counters *s)
{
	FILE *f = open_proc("net/snmp");
	char *names = NULL, *numbers = NULL;
	size_t sizes[2] = { 0, 0 };

	while (f && getline(&names, &sizes[0], f) > 0 && getline(&numbers, &sizes[1], f) > 0)
		take_columns(s, names, numbers);
	free(names);
	free(numbers);
	if (f)
		fclose(f);
}

/* Adds the counters of IPv6; /proc/net/snmp has those of IPv4. */
static void read_snmp6(struct kernel_counters *s)
{
	FILE *f = open_proc("net/snmp6");
	char name[64];
	uint64_t v;

	while (f && fscanf(f, "%63s %" SCNu64, name, &v) == 2) {
		if (!strcmp(name, "Udp6InDatagrams"))
			set(s, KERN_UDP_RECEIVED, v);
		else if (!strcmp(name, "Udp6OutDatagrams"))
			set(s, KERN_UDP_SENT, v);
	}
	if (f)
		fclose(f);
}

void kernel_counters_read(struct kernel_counters *s)
{
	*s = (struct kernel_counters){ 0 };
	read_forks(s);
	read_snmp(s);
	read_snmp6(s);
}

struct kernel_counters kernel_counters_since(const struct kernel_counters *from,
					     const struct kernel_counters *now)
{
	struct kernel_counters s = { 0 };

	for (unsigned i = 0; i < KERN_COUNTS; i++) {
		s.known[i] = from->known[i] && now->known[i];
		s.v[i] = now->v[i] - from->v[i];
	}
	return s;
}
