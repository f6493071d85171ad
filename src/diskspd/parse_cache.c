/* parse_cache.c: options about caches, buffers and pinning: -S -h -N -Z -l -n. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include "parse.h"

static int cache_mode(struct ds_parse *p, enum ds_os_cache mode)
{
	if (p->cache_given)
		return parse_err(p, "the cache mode is given twice: choose one of b (cached), u "
				    "(unbuffered), r (no local cache), h (u and w)");
	if (p->target.mapped && mode == DS_UNBUFFERED)
		return parse_err(p,
				 "unbuffered I/O is not possible with memory-mapped I/O: choose -Su or -Sm");
	p->cache_given = true;
	p->target.cache = mode;
	return 0;
}

static int write_through(struct ds_parse *p)
{
	if (p->through_given)
		return parse_err(p, "write-through is given twice (h means u and w)");
	p->through_given = p->target.write_through = true;
	return 0;
}

static int mapped(struct ds_parse *p)
{
	if (p->target.mapped)
		return parse_err(p, "memory-mapped is given twice");
	if (p->cache_given && p->target.cache == DS_UNBUFFERED)
		return parse_err(p,
				 "memory-mapped I/O is not possible with unbuffered I/O: choose -Sm or -Su");
	p->target.mapped = true;
	return 0;
}

/* Sets what -Sh, and its old spelling -h, stand for. */
static int no_caches(struct ds_parse *p)
{
	if (p->cache_given || p->through_given)
		return parse_err(p, "h means unbuffered and write-through, and the line has a cache or "
				    "write-through mode already: leave one of them out");
	return cache_mode(p, DS_UNBUFFERED) ? -EINVAL : write_through(p);
}

static int bypass(struct ds_parse *p, char letter)
{
	if (p->l->dialect != DS_DIALECT_23)
		return parse_err(p,
				 "'%c' is not a cache letter (b h m r u w); y and Y came with DISKSPD 2.3 "
				 "(--dialect 2.3)",
				 letter);
	if (p->target.bypass != DS_BYPASS_NONE)
		return parse_err(p, "BypassIO (y, Y) is given twice");
	p->target.bypass = letter == 'y' ? DS_BYPASS_PARTIAL : DS_BYPASS_FULL;
	return 0;
}

static int cache_letter(struct ds_parse *p, char letter)
{
	switch (letter) {
	case 'b':
		return cache_mode(p, DS_CACHED);
	case 'u':
		return cache_mode(p, DS_UNBUFFERED);
	case 'r':
		return cache_mode(p, DS_REMOTE_ONLY);
	case 'h':
		return no_caches(p);
	case 'm':
		return mapped(p);
	case 'w':
		return write_through(p);
	case 'y':
	case 'Y':
		return bypass(p, letter);
	case 'd':
	case 's':
		return parse_err(
			p,
			"'%c' is a cache letter of diskspd-for-linux: write %s, or use --dialect linux-port",
			letter, letter == 'd' ? "-Su" : "-Sw");
	default:
		return parse_err(p, "'%c' is not a cache letter: write b h m r u w%s, in this case", letter,
				 p->l->dialect == DS_DIALECT_23 ? " y Y" : "");
	}
}

int ds_read_cache(struct ds_parse *p, const char *arg)
{
	int ret = 0;

	if (!*arg)
		return cache_mode(p, DS_UNBUFFERED);
	for (; *arg && !ret; arg++)
		ret = cache_letter(p, *arg);
	return ret;
}

int ds_read_old_cache(struct ds_parse *p, const char *arg)
{
	(void)arg;
	return no_caches(p);
}

int ds_read_port_cache(struct ds_parse *p, const char *arg)
{
	if (!*arg || arg[strspn(arg, "dsh")])
		return parse_err(p, "diskspd-for-linux has -Sd (O_DIRECT), -Ss (O_SYNC) and -Sh (both)");
	if (strpbrk(arg, "dh"))
		p->target.cache = DS_UNBUFFERED;
	if (strpbrk(arg, "sh"))
		p->target.write_through = true;
	return 0;
}

int ds_read_flush(struct ds_parse *p, const char *arg)
{
	static const char letters[] = "vni";
	char c = *arg && p->l->dialect != DS_DIALECT_23 ? (char)tolower((unsigned char)*arg) : *arg;
	const char *at = c ? strchr(letters, c) : NULL;

	if (!at || arg[1])
		return parse_err(p, "the flush after each write is -Nv (the view), -Nn (non-volatile memory) "
				    "or -Ni (the same without drain)");
	p->target.flush = (enum ds_flush)(DS_FLUSH_VIEW + (at - letters));
	return 0;
}

static int read_pool(struct ds_parse *p, const char *arg)
{
	const char *end;
	int ret = ds_size(arg, p->l->dialect, p->target.block, &p->target.pool_size, &end);

	if (ret || *end != ',')
		ret = parse_byte_size(p, arg, &p->target.pool_size);
	if (ret)
		return ret;
	if (!p->target.pool_size)
		return parse_err(p, "the write buffer must be larger than 0; -Z alone writes zeros");
	p->target.pool_file = NULL;
	if (!*end)
		return 0;
	if (!end[1])
		return parse_err(p, "the file after the comma is missing: -Z<size>,<file>");
	p->target.pool_file = arena_strdup(&p->l->profile.mem, end + 1);
	return p->target.pool_file ? 0 : diag_err(p->d, -ENOMEM, "out of memory");
}

int ds_read_write_buffer(struct ds_parse *p, const char *arg)
{
	if (!*arg) {
		p->zero_given = true;
	} else if (!strcmp(arg, "r")) {
		p->span->random_data = true;
	} else if (!strcmp(arg, "z") || !strcmp(arg, "s")) {
		return parse_err(p, "-Z%s is an option of diskspd-for-linux: %s, or use --dialect linux-port",
				 arg,
				 *arg == 'z' ? "write -Z for zeros"
					     : "leave it out, the bytes 0 to 255 are the default");
	} else if (!isdigit((unsigned char)*arg)) {
		return parse_err(p, "the data to write is -Z (zeros), -Zr (new random data each time) or "
				    "-Z<size>[,<file>]");
	} else {
		return read_pool(p, arg);
	}
	return 0;
}

int ds_read_port_content(struct ds_parse *p, const char *arg)
{
	p->zero_given = strchr(arg, 'z');
	p->span->random_data = strchr(arg, 'r');
	p->span->separate_buffers = strchr(arg, 's');
	if (!*arg || arg[strspn(arg, "szr")])
		return parse_err(
			p, "diskspd-for-linux has -Zz (zeros), -Zr (random data) and -Zs (separate buffers "
			   "for reads and writes)");
	if (p->zero_given && p->span->random_data)
		return parse_err(p, "z (zeros) and r (random data) exclude each other");
	return 0;
}
