/* bench.c: measures the cost of an I/O, of a start and of a job in fiord, beside bare loops and fio;
   --help describes its options. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "clock.h"
#include "feature_cost.h"
#include "machine.h"
#include "scene.h"
#include "testfile.h"
#include "values.h"

/* clang-format off */
static const char help[] =
	"Usage: fiord-bench [OPTION...] FIORD\n"
	"\n"
	"Runs scenes of FIORD, of the smallest loop that does the same, and of fio, one after the\n"
	"other and round after round. A Markdown table comes out: median (lowest..highest), what\n"
	"share of fiord's cost the bare loop has, how many times fiord is cheaper than fio. CPU time\n"
	"is user and system of the whole process tree from start to exit, divided by the I/Os of the\n"
	"result.\n"
	"\n"
	"  --dir=DIR          where test files are made (1.1 GiB; default: the current directory)\n"
	"  --device=PATH      a block device with poll queues, such as a null_blk device, for the\n"
	"                     scenes device and device-polled; it is only read\n"
	"  --rounds=N         how often each is measured (default 5; slow scenes at most 3 times)\n"
	"  --only=NAME,...    these scenes or features, by name or by what stands before a '-' in it\n"
	"  --ratios           fiord's median and the ratios alone, as README.md here quotes them\n"
	"  --features         instead: what each feature costs when it is on. CPU time and, where\n"
	"                     there is valgrind, instructions per I/O on the null engine; both are\n"
	"                     differences of two lengths\n"
	"  --no-instructions  the same without instructions, in a quarter of the time\n"
	"  --flat             instead: the cost of an I/O by the number of jobs and files\n"
	"  --list             names the scenes; --list --features: the features\n"
	"  --fio=PATH         fio (default: $FIO, else fio in PATH); none: without\n"
	"  --cpu=N            pin what is measured per I/O to this CPU (default: the last one;\n"
	"                     -1: to none)\n"
	"  --many=N           jobs in the scenes with many (default 2000)\n"
	"  --short            small counts, 2 rounds, 100 jobs: shows that it runs; its figures mean\n"
	"                     little\n"
	"  --output=FILE      where the table goes (default: stdout)\n";
/* clang-format on */

static const struct section *const sections[] = {
	&section_io, &section_rates, &section_verify, &section_start, &section_memory, &section_layout,
};
#define SECTIONS (sizeof(sections) / sizeof(*sections))

struct request {
	const char *only, *output, *dir, *fio;
	bool list, features, flat;
};

static int last_cpu(void)
{
	cpu_set_t set;
	int last = -1;

	if (!sched_getaffinity(0, sizeof(set), &set))
		for (int i = 0; i < CPU_SETSIZE; i++)
			last = CPU_ISSET((unsigned)i, &set) ? i : last;
	return last;
}

static void list_scene(const struct bench *b, const struct scene *s)
{
	printf("%-18s ", s->name);
	scene_label(b, s->figure[0].label, stdout);
	putchar('\n');
}

static void list_scenes(const struct bench *b)
{
	for (size_t i = 0; i < SECTIONS; i++)
		for (const struct scene *s = sections[i]->scenes; s->name; s++)
			list_scene(b, s);
}

static bool known(const char *only)
{
	char words[1024], *at = NULL;

	snprintf(words, sizeof(words), "%s", only);
	for (char *w = strtok_r(words, ",", &at); w; w = strtok_r(NULL, ",", &at)) {
		bool found = false;

		for (size_t i = 0; i < SECTIONS; i++)
			for (const struct scene *s = sections[i]->scenes; s->name; s++)
				found |= section_wants(w, s->name);
		if (!found) {
			fprintf(stderr, "fiord-bench: --only=%s: no such scene; --list names them\n", w);
			return false;
		}
	}
	return true;
}

static void usage(void)
{
	fprintf(stderr, "%s", help);
	exit(2);
}

static unsigned number(const char *text, unsigned least, unsigned most)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || end == text || n < least || n > most) {
		fprintf(stderr, "fiord-bench: %s: must be %u to %u\n", text, least, most);
		exit(2);
	}
	return (unsigned)n;
}

static void options(int argc, char **argv, struct bench *b, struct request *r)
{
	static const struct option known_options[] = {
		{ "dir", 1, NULL, 'd' },    { "device", 1, NULL, 'D' }, { "rounds", 1, NULL, 'r' },
		{ "only", 1, NULL, 'o' },   { "list", 0, NULL, 'l' },   { "fio", 1, NULL, 'f' },
		{ "cpu", 1, NULL, 'c' },    { "many", 1, NULL, 'm' },   { "short", 0, NULL, 's' },
		{ "output", 1, NULL, 'w' }, { "help", 0, NULL, 'h' },   { "features", 0, NULL, 'F' },
		{ "flat", 0, NULL, 'N' },   { "ratios", 0, NULL, 'R' }, { "no-instructions", 0, NULL, 'i' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", known_options, NULL)) != -1) {
		switch (c) {
		case 'd':
			r->dir = optarg;
			break;
		case 'D':
			b->device = optarg;
			break;
		case 'r':
			b->rounds = number(optarg, 1, ROUNDS_MAX);
			break;
		case 'o':
			r->only = optarg;
			break;
		case 'l':
			r->list = true;
			break;
		case 'f':
			r->fio = optarg;
			break;
		case 'c':
			b->cpu = strcmp(optarg, "-1") ? (int)number(optarg, 0, CPU_SETSIZE - 1) : -1;
			break;
		case 'm':
			b->many = number(optarg, 1, 100000);
			break;
		case 's':
			b->rounds = 2;
			b->cut = 50;
			b->many = 100;
			break;
		case 'w':
			r->output = optarg;
			break;
		case 'i':
			b->instructions = false;
			break;
		case 'R':
			b->ratios = true;
			break;
		case 'F':
			r->features = true;
			break;
		case 'N':
			r->flat = true;
			break;
		case 'h':
			printf("%s", help);
			exit(0);
		default:
			usage();
		}
	}
	if (optind + !r->list != argc)
		usage();
	b->fiord = r->list ? NULL : realpath(argv[optind], NULL);
	if (!r->list && !b->fiord) {
		fprintf(stderr, "fiord-bench: %s: %s\n", argv[optind], strerror(errno));
		exit(2);
	}
}

static int measure(const struct bench *b, const struct request *r, FILE *out)
{
	int ret = 0;

	if (r->features)
		ret |= features_run(b, r->only, out);
	if (r->flat)
		ret |= scaling_run(b, out);
	for (size_t i = 0; i < SECTIONS && !r->features && !r->flat; i++)
		ret |= section_run(b, sections[i], r->only, out);
	return ret;
}

int main(int argc, char **argv)
{
	static struct bench b = { .rounds = 5, .cut = 1, .many = 2000, .instructions = true };
	struct request r = { .dir = ".", .fio = getenv("FIO") };
	char dir[PATH_MAX];
	FILE *out = stdout;
	int ret = 0;

	b.cpu = last_cpu();
	options(argc, argv, &b, &r);
	if (r.list && r.features)
		features_list(stdout);
	else if (r.list)
		list_scenes(&b);
	if (r.list || (r.only && !r.features && !known(r.only)))
		return r.list ? 0 : 2;
	if (r.output && !(out = fopen(r.output, "we"))) {
		fprintf(stderr, "fiord-bench: %s: %s\n", r.output, strerror(errno));
		return 2;
	}
	snprintf(dir, sizeof(dir), "%s/fiord-bench.XXXXXX", r.dir);
	if (!mkdtemp(dir) || !(b.dir = realpath(dir, NULL))) {
		fprintf(stderr, "fiord-bench: %s: %s\n", dir, strerror(errno));
		return 2;
	}
	clock_init();
	run_init();
	b.fio = r.features || r.flat ? NULL : machine_fio(r.fio);
	b.instructions = b.instructions && machine_counts();
	machine_print(&b, out);
	ret = measure(&b, &r, out);
	machine_load(out);
	testfile_remove(&b);
	if (run_stopped())
		fprintf(stderr, "fiord-bench: interrupted\n");
	return ret || fclose(out) ? 1 : 0;
}
