/* parse_io.c: options about the I/O itself: -b -B -f -c -r -rs -s -si -T -o -O -t -F -w -g -i -j -I -p. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "parse.h"

int ds_read_block(struct ds_parse *p, const char *arg)
{
	uint64_t v;
	int ret = parse_byte_size(p, arg, &v);

	if (ret)
		return ret;
	if (v >= UINT32_MAX)
		return parse_err(p, "the block size must be below 4G (2^32-1 bytes)");
	if (p->block_given && p->l->dialect == DS_DIALECT_20)
		parse_note(p, "DISKSPD 2.0 uses the first -b");
	else
		p->target.block = v;
	p->block_given = true;
	return 0;
}

int ds_read_separation(struct ds_parse *p, const char *arg)
{
	if (strcmp(arg, "n") != 0 && strcmp(arg, "p") != 0)
		return parse_err(p, "the buffer separation is n (the system's default) or p (spread for each "
				    "thread): -bsn, -bsp");
	p->span->default_buffer_separation = *arg == 'n';
	return 0;
}

static int check_max_given_once(struct ds_parse *p)
{
	if (p->max_given)
		return parse_err(p, "the end of the range is given twice: use -f<size> or -B<base>:<length>");
	p->max_given = true;
	return 0;
}

/* Reads the length in -B<base>:<length>. */
static int read_base_end(struct ds_parse *p, uint64_t base, const char *text)
{
	uint64_t len;

	if (!*text)
		return parse_err(
			p, "the length after the colon is missing: -B<base>:<length>, or -B<base> alone");
	if (check_max_given_once(p) || parse_byte_size(p, text, &len))
		return -EINVAL;
	if (!len)
		return parse_err(p, "the length is 0: nothing is left to read or write");
	if (__builtin_add_overflow(base, len, &p->target.max_size))
		return parse_err(p, "base and length together do not fit into 64 bits");
	return 0;
}

int ds_read_base(struct ds_parse *p, const char *arg)
{
	const char *end;
	uint64_t base;
	int ret = ds_size(arg, p->l->dialect, p->target.block, &base, &end);

	if (p->base_given)
		return parse_err(p, "-B is given twice");
	if (ret || *end != ':' || p->l->dialect == DS_DIALECT_LINUX)
		ret = parse_byte_size(p, arg, &base);
	else if (p->l->dialect == DS_DIALECT_20)
		ret = parse_err(p, "the length in -B<base>:<length> came with DISKSPD 2.2: use -B and -f, or "
				   "--dialect 2.2");
	else
		ret = read_base_end(p, base, end + 1);
	if (ret)
		return ret;
	p->base_given = true;
	p->target.base = base;
	return 0;
}

static int read_hints(struct ds_parse *p, const char *arg)
{
	for (; *arg; arg++) {
		if (*arg == 'r')
			p->target.hint_random = true;
		else if (*arg == 's')
			p->target.hint_sequential = true;
		else if (*arg == 't')
			p->target.hint_temporary = true;
		else
			return parse_err(p, "-f has a size (-f10G: no I/O beyond this offset) or hints (-fr "
					    "-fs -ft); files have no flag, and come after the options");
	}
	return 0;
}

int ds_read_max(struct ds_parse *p, const char *arg)
{
	uint64_t v;

	if (*arg && !isdigit((unsigned char)*arg) && p->l->dialect != DS_DIALECT_LINUX)
		return read_hints(p, arg);
	if (parse_byte_size(p, arg, &v) || check_max_given_once(p))
		return -EINVAL;
	p->target.max_size = v;
	return 0;
}

int ds_read_create(struct ds_parse *p, const char *arg)
{
	return parse_byte_size(p, arg, &p->target.create_size);
}

int ds_read_port_create(struct ds_parse *p, const char *arg)
{
	p->l->keeps_files = true;
	return parse_byte_size(p, arg, &p->target.create_size);
}

/* Before 2.1, and in diskspd-for-linux, -r wins over -s; since 2.1 both together are an error. */
static bool random_wins(const struct ds_parse *p)
{
	return p->l->dialect == DS_DIALECT_20 || p->l->dialect == DS_DIALECT_LINUX;
}

/* Returns true if -s forbids -r. DISKSPD cannot see -s0. */
static bool stride_forbids_random(struct ds_parse *p)
{
	bool given = (p->target.stride && !p->random_given) || p->target.interlocked;

	if (!given || !random_wins(p))
		return given;
	p->target.stride = 0;
	p->target.interlocked = false;
	parse_note(p, "-s has no effect: -r overrides it");
	return false;
}

int ds_read_random(struct ds_parse *p, const char *arg)
{
	if (p->random_given && p->l->dialect != DS_DIALECT_20)
		return parse_err(p, "-r is given twice");
	if (stride_forbids_random(p))
		return parse_err(
			p,
			"not possible with sequential -s: leave one of them out (before 2.1 -r overrode -s)");
	p->target.stride = 0;
	if (*arg && parse_byte_size(p, arg, &p->target.stride))
		return -EINVAL;
	if (*arg && !p->target.stride)
		return parse_err(p,
				 "the alignment of random I/O must be above 0: -r alone aligns to the block");
	p->random_given = true;
	if (!p->ratio_given)
		p->target.random_percent = 100;
	return 0;
}

int ds_read_random_share(struct ds_parse *p, const char *arg)
{
	unsigned v;

	/* DISKSPD does not see -rs100 as a given -rs. */
	if (p->ratio_given)
		return parse_err(p, "-rs is given twice");
	if (stride_forbids_random(p))
		return parse_err(p, "-rs is not possible with sequential -s; -r<size> sets the alignment of "
				    "both kinds of I/O");
	if (!*arg)
		return parse_err(p, "the percentage is missing: -rs50 makes half of the I/O random");
	if (ds_atoi(arg, NULL) < 1 || ds_atoi(arg, NULL) > 100)
		return parse_err(p, "the percentage of random I/O is 1 to 100");
	if (parse_number(p, arg, 1, &v))
		return -EINVAL;
	p->ratio_given = v != 100;
	p->target.random_percent = v;
	return 0;
}

/* Reads -s behind -r where -r wins. In DISKSPD 2.0 the last size of both is the alignment. */
static int set_alignment(struct ds_parse *p, const char *arg)
{
	uint64_t size = 0;

	if (*arg && parse_byte_size(p, arg, &size))
		return -EINVAL;
	if (p->l->dialect == DS_DIALECT_LINUX) {
		parse_note(p, "-s has no effect: -r overrides it");
		return 0;
	}
	p->target.stride = size;
	parse_note(
		p,
		"the I/O is random, and %s sets its alignment: DISKSPD 2.0 uses the last size of -r and -s",
		p->argv[p->at]);
	return 0;
}

int ds_read_sequential(struct ds_parse *p, const char *arg)
{
	bool random = p->random_given || p->target.random_percent;

	if (random && random_wins(p))
		return set_alignment(p, arg);
	if (random)
		return parse_err(
			p, "sequential -s is not possible with random -r or -rs: leave one of them out");
	if (p->target.stride)
		return parse_err(p, "-s is given twice");
	if (!*arg) {
		p->target.stride = p->target.block;
		return 0;
	}
	return parse_byte_size(p, arg, &p->target.stride);
}

int ds_read_interlocked(struct ds_parse *p, const char *arg)
{
	int ret = ds_read_sequential(p, arg);

	if (!ret && !p->target.random_percent)
		p->target.interlocked = true;
	return ret;
}

int ds_read_stride(struct ds_parse *p, const char *arg)
{
	if (parse_byte_size(p, arg, &p->target.thread_stride))
		return -EINVAL;
	if (!p->target.thread_stride && p->l->dialect != DS_DIALECT_LINUX)
		return parse_err(
			p, "the distance between the threads' starts must be above 0; leave -T out for none");
	return 0;
}

static int read_outstanding(struct ds_parse *p, const char *arg, unsigned *out)
{
	if (parse_number(p, arg, 1, out))
		return -EINVAL;
	if (p->l->dialect == DS_DIALECT_23 && *out > 65536)
		return parse_err(p, "since 2.3 at most 65536 outstanding I/Os are possible");
	return 0;
}

int ds_read_depth(struct ds_parse *p, const char *arg)
{
	if (p->l->dialect != DS_DIALECT_23 && *arg == 'c' && isdigit((unsigned char)arg[1]))
		return parse_err(p,
				 "DISKSPD reads %s here as 0 and refuses it; -oc came with DISKSPD 2.3 "
				 "(--dialect 2.3)",
				 arg);
	return read_outstanding(p, arg, &p->target.depth);
}

int ds_read_pool_depth(struct ds_parse *p, const char *arg)
{
	return read_outstanding(p, arg, &p->span->requests);
}

int ds_read_write(struct ds_parse *p, const char *arg)
{
	enum ds_dialect dialect = p->l->dialect;
	unsigned v;

	if (!*arg && (dialect == DS_DIALECT_20 || dialect == DS_DIALECT_LINUX)) {
		parse_note(p, "-w without a number is -w0: reads only");
		p->target.write_percent = 0;
		return 0;
	}
	if (!*arg)
		return parse_err(
			p,
			"the percentage of writes is missing: before 2.1 a bare -w meant -w0 (reads only); "
			"write -w0, or -w100 for writes only");
	if ((*arg == '-' && ds_atoi(arg, NULL) < 0) || ds_atoi(arg, NULL) > 100)
		return parse_err(p, "the percentage of writes is 0 to 100");
	if (parse_number(p, arg, 0, &v))
		return -EINVAL;
	p->target.write_percent = v;
	return 0;
}

int ds_read_rate(struct ds_parse *p, const char *arg)
{
	char last = *arg ? arg[strlen(arg) - 1] : '\0';
	int v = ds_atoi(arg, NULL);
	bool iops = last == 'i' && p->l->dialect != DS_DIALECT_20;

	if (last == 'i' && !iops)
		return parse_err(p, "-g<n>i (IOPS) came with DISKSPD 2.1: use --dialect 2.2");
	if (!iops && !isdigit((unsigned char)last))
		return parse_err(p, "the rate is a number of bytes per millisecond (-g100), or of IOPS with "
				    "an i at the end (-g100i)");
	if (v <= 0)
		return parse_err(p, "the rate must be above 0; leave -g out for no limit");
	p->target.rate = (uint64_t)v;
	p->target.rate_iops = iops;
	return 0;
}

/* diskspd-for-linux has sizes per millisecond, such as -g1K. */
int ds_read_port_rate(struct ds_parse *p, const char *arg)
{
	if (*arg && arg[strlen(arg) - 1] == 'i')
		return parse_err(p, "-g<n>i (IOPS) came with DISKSPD 2.1: use --dialect 2.2");
	if (parse_byte_size(p, arg, &p->target.rate))
		return -EINVAL;
	if (!p->target.rate)
		return parse_err(p, "the rate must be above 0; leave -g out for no limit");
	return 0;
}

int ds_read_burst(struct ds_parse *p, const char *arg)
{
	p->target.burst_given = true;
	return parse_number(p, arg, 1, &p->target.burst_ios);
}

int ds_read_think(struct ds_parse *p, const char *arg)
{
	p->target.think_given = true;
	return parse_number(p, arg, 1, &p->target.think_ms);
}

int ds_read_priority(struct ds_parse *p, const char *arg)
{
	int v = ds_atoi(arg, NULL);

	if (v < 1 || v > 3)
		return parse_err(p, "the I/O priority is 1 (very low), 2 (low) or 3 (normal)");
	return parse_number(p, arg, 1, &p->target.priority);
}
