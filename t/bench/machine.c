#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "clock.h"
#include "run.h"

static char fio_version[64];

/* Reads the first line of a command's output into `line`. */
static bool first_line(const char *command, char *line, size_t size)
{
	FILE *f = popen(command, "re");
	bool said = f && fgets(line, (int)size, f);

	if (said)
		line[strcspn(line, "\n")] = '\0';
	return f && pclose(f) == 0 && said;
}

const char *machine_fio(const char *wanted)
{
	char command[4096];

	if (wanted && !strcmp(wanted, "none"))
		return NULL;
	if (!wanted)
		wanted = "fio";
	else if (strchr(wanted, '/'))
		wanted = realpath(wanted, NULL);
	snprintf(command, sizeof(command), "'%s' --version 2>/dev/null", wanted ? wanted : "/");
	return first_line(command, fio_version, sizeof(fio_version)) ? wanted : NULL;
}

bool machine_counts(void)
{
	char line[64];

	return first_line("valgrind --version 2>/dev/null", line, sizeof(line));
}

static const char *processor(char *line, size_t size)
{
	if (!first_line("sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo", line, size))
		snprintf(line, size, "unknown processor");
	return line;
}

void machine_print(const struct bench *b, FILE *out)
{
	char cpu[256], command[4200], fs[256] = "?";
	struct utsname u;

	uname(&u);
	snprintf(command, sizeof(command), "df --output=fstype,source '%s' | tail -n 1", b->dir);
	first_line(command, fs, sizeof(fs));
	fprintf(out, "%s, %ld processors, Linux %s; clock: %s; files on %s; fio: %s.\n",
		processor(cpu, sizeof(cpu)), sysconf(_SC_NPROCESSORS_ONLN), u.release, clock_source(), fs,
		b->fio ? fio_version : "none");
	fprintf(out, "Median (lowest..highest) of %u interleaved rounds%s.", b->rounds,
		b->cut > 1 ? ", a SHORT form whose figures mean little" : "");
	if (b->cpu >= 0)
		fprintf(out, " What is measured per I/O is pinned to CPU %d.", b->cpu);
	fputc('\n', out);
	machine_load(out);
}

void machine_load(FILE *out)
{
	char line[128] = "?";

	first_line("cut -d ' ' -f 1-3 /proc/loadavg", line, sizeof(line));
	fprintf(out, "\nLoad average: %s.\n", line);
	fflush(out);
}
