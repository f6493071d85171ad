/* scaling.c: checks whether an I/O costs the same with any number of jobs and files. */
#include <errno.h>
#include <stdio.h>
#include "io_cost.h"
#include "feature_cost.h"

#define IOS 8000000

struct row {
	const char *label, *args;
	unsigned jobs;
};

/* clang-format off */
static const struct row rows[] = {
	{ "1 job", "", 1 },
	{ "10 jobs", "--numjobs=10 --group_reporting", 10 },
	{ "100 jobs", "--numjobs=100 --group_reporting", 100 },
	{ "1000 jobs", "--numjobs=1000 --group_reporting", 1000 },
	{ "10 threads", "--numjobs=10 --group_reporting --thread", 10 },
	{ "100 threads", "--numjobs=100 --group_reporting --thread", 100 },
	{ "1000 threads", "--numjobs=1000 --group_reporting --thread", 1000 },
	{ "1 file", "--nrfiles=1 --size=1280m", 1 },
	{ "100 files", "--nrfiles=100 --size=1280m", 1 },
	{ "10 000 files", "--nrfiles=10000 --size=1280m", 1 },
	{ "10 000 files, random", "--nrfiles=10000 --size=1280m --file_service_type=random", 1 },
};
/* clang-format on */
#define ROWS (sizeof(rows) / sizeof(*rows))

int scaling_run(const struct bench *b, FILE *out)
{
	static struct values ns[ROWS][2];
	struct bench own = *b;

	own.cpu = -1;
	fprintf(out, "\n**CPU time per I/O on the null engine, by the number of jobs and files, ns**\n\n");
	table_head(out, "|options|depth 1|depth 32");
	for (unsigned round = 0; round < b->rounds; round++) {
		for (unsigned i = 0; i < ROWS; i++) {
			struct io_cost_job one = { rows[i].args, 1, rows[i].jobs, IOS };
			struct io_cost_job many = { rows[i].args, 32, rows[i].jobs, IOS };

			if (io_cost(&own, &one, &ns[i][0]) || io_cost(&own, &many, &ns[i][1]))
				return -EIO;
		}
	}
	for (unsigned i = 0; i < ROWS; i++) {
		fprintf(out, rows[i].args[0] ? "| %s | `%s` |" : "| %s | %s|", rows[i].label, rows[i].args);
		cell_values(out, &ns[i][0]);
		cell_values(out, &ns[i][1]);
		putc('\n', out);
	}
	return 0;
}
