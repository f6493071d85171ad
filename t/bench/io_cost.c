#include "io_cost.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define SHORT_IOS   20000
#define COUNTED_IOS 100000
#define BASE        "--name=b --ioengine=null --rw=randread --bs=4k --size=1g --randseed=1"

static void make_args(char *text, size_t size, const struct io_cost_job *j, uint64_t ios)
{
	snprintf(text, size, BASE " --iodepth=%u %s --io_size=%" PRIu64, j->depth, j->args,
		 ios / j->jobs * 4096);
}

static int run(const struct bench *b, const struct io_cost_job *j, uint64_t ios, struct outcome *o)
{
	char args[2048];

	make_args(args, sizeof(args), j, ios);
	return run_program(b, b->fiord, args, o);
}

int io_cost(const struct bench *b, const struct io_cost_job *j, struct values *v)
{
	struct outcome few, many;
	int ret = run(b, j, SHORT_IOS, &few);

	ret = ret ? ret : run(b, j, SHORT_IOS + j->ios / b->cut, &many);
	if (ret || many.ios <= few.ios)
		return -EIO;
	values_add(v, (many.cpu_ns - few.cpu_ns) / (double)(many.ios - few.ios));
	return 0;
}

double io_cost_instructions(const struct bench *b, const struct io_cost_job *j)
{
	uint64_t few, many, ios[2] = { SHORT_IOS, SHORT_IOS + COUNTED_IOS };
	struct outcome o[2];
	char args[2048];

	if (!b->instructions)
		return NAN;
	make_args(args, sizeof(args), j, ios[0]);
	few = run_counted(b, args, &o[0]);
	make_args(args, sizeof(args), j, ios[1]);
	many = few ? run_counted(b, args, &o[1]) : 0;
	if (!many || o[1].ios <= o[0].ios)
		return NAN;
	return ((double)many - (double)few) / (double)(o[1].ios - o[0].ios);
}
