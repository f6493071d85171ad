/* parse_run.c: options about times, measurements and reports: -d -W -C -D -L -R -P -v -z -X -y -e -: -x
   -u -oc. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include "parse.h"

int ds_read_usage(struct ds_parse *p, const char *arg)
{
	(void)arg;
	p->l->usage = true;
	return 0;
}

static int read_seconds(struct ds_parse *p, const char *arg, unsigned *out, bool *given)
{
	if (ds_atoi(arg, NULL) < 0)
		return parse_err(p, "a time in seconds cannot be negative");
	*given = true;
	return parse_number(p, arg, 0, out);
}

int ds_read_duration(struct ds_parse *p, const char *arg)
{
	int ret = read_seconds(p, arg, &p->span->duration_s, &p->l->duration_given);

	if (!ret && !p->span->duration_s && p->l->dialect == DS_DIALECT_20)
		return parse_err(p, "before DISKSPD 2.1 the measured time must be above 0");
	if (!ret && !p->span->duration_s)
		parse_note(p, "-d0 measures nothing");
	return ret;
}

int ds_read_warmup(struct ds_parse *p, const char *arg)
{
	return read_seconds(p, arg, &p->span->warmup_s, &p->l->warmup_given);
}

int ds_read_cooldown(struct ds_parse *p, const char *arg)
{
	return read_seconds(p, arg, &p->span->cooldown_s, &p->l->cooldown_given);
}

/* Accepts any text: DISKSPD takes the default unless the text is a number above 0. */
int ds_read_buckets(struct ds_parse *p, const char *arg)
{
	int v = ds_atoi(arg, NULL);

	p->span->iops_stats = true;
	if (v > 0)
		p->span->bucket_ms = (unsigned)v;
	else if (*arg)
		parse_note(p, "%s is not an interval in ms, and DISKSPD uses %u", arg, p->span->bucket_ms);
	return 0;
}

int ds_read_progress(struct ds_parse *p, const char *arg)
{
	int v = ds_atoi(arg, NULL);

	p->l->profile.progress_ios = v < 1 ? 65536 : (unsigned)v;
	return 0;
}

static int read_format(struct ds_parse *p, const char *arg)
{
	if (!strcmp(arg, "text"))
		p->l->profile.format = DS_TEXT;
	else if (!strcmp(arg, "xml"))
		p->l->profile.format = DS_XML;
	else if (!strcasecmp(arg, "text") || !strcasecmp(arg, "xml"))
		return parse_err(p, "the format is written in lower case: -R%s",
				 tolower((unsigned char)*arg) == 't' ? "text" : "xml");
	else
		return parse_err(p, "the report's format is -Rtext or -Rxml%s",
				 *arg ? "" : " (-R alone is none)");
	p->l->format_given = true;
	return 0;
}

int ds_read_report(struct ds_parse *p, const char *arg)
{
	bool show = p->l->dialect != DS_DIALECT_20;

	if (show && *arg == 'p') {
		p->l->show = DS_SHOW_PROFILE;
		return arg[1] ? read_format(p, arg + 1) : 0;
	}
	if (*arg == 's' && p->l->dialect == DS_DIALECT_23) {
		if (p->argc > 1)
			return parse_err(p, "system information (-Rs) must be the only option");
		p->l->show = DS_SHOW_SYSTEM;
		return arg[1] ? read_format(p, arg + 1) : 0;
	}
	if (*arg == 's')
		return parse_err(
			p,
			"the report's format is -Rtext or -Rxml; -Rs came with DISKSPD 2.3 (--dialect 2.3)");
	if (*arg == 'p')
		return parse_err(
			p,
			"the report's format is -Rtext or -Rxml; -Rp came with DISKSPD 2.1 (--dialect 2.2)");
	return read_format(p, arg);
}

int ds_read_verbose(struct ds_parse *p, const char *arg)
{
	bool stats = p->l->dialect == DS_DIALECT_23 || p->l->dialect == DS_DIALECT_22;

	if (*arg && (strcmp(arg, "s") != 0 || !stats))
		return parse_err(p, stats ? "verbose is -v, with wait statistics -vs" : "verbose is -v");
	p->l->profile.verbose = p->l->verbose_given = true;
	if (*arg)
		p->l->profile.verbose_stats = p->l->verbose_stats_given = true;
	return 0;
}

int ds_read_seed(struct ds_parse *p, const char *arg)
{
	p->l->seed_given = true;
	p->span->seed_clock = !*arg;
	p->span->seed = 0;
	if (*arg && parse_digits(arg, UINT32_MAX, &p->span->seed))
		return parse_err(
			p, "the seed is a whole number below 2^32, such as -z42; -z alone uses the clock");
	return 0;
}

int ds_read_experiments(struct ds_parse *p, const char *arg)
{
	int v = ds_atoi(arg, NULL);

	p->l->experiments_given = true;
	p->l->profile.experiment_flags = (uint32_t)v;
	return 0;
}

int ds_read_xml(struct ds_parse *p, const char *arg)
{
	if (p->l->xml_file)
		return parse_err(p, "-X is given twice");
	if (!*arg)
		return parse_err(p, "the profile's name is missing; it follows the letter without a blank, "
				    "such as -Xprofile.xml");
	p->l->xml_file = arena_strdup(&p->l->profile.mem, arg);
	return p->l->xml_file ? 0 : diag_err(p->d, -ENOMEM, "out of memory");
}

int ds_read_signals(struct ds_parse *p, const char *arg)
{
	struct ds_signals *s = &p->l->signals;
	char **field = *arg == 's'   ? &s->start
		       : *arg == 'f' ? &s->finish
		       : *arg == 'r' ? &s->wait
		       : *arg == 'p' ? &s->stop
		       : *arg == 'e' ? &s->set
				     : NULL;

	if (!field)
		return parse_err(p,
				 "events are -ys<name> (start), -yf<name> (finish), -yr<name> (wait for it), "
				 "-yp<name> (stop) and -ye<name> (set it)");
	if (!arg[1])
		return parse_err(p, "the event's name is missing");
	*field = arena_strdup(&p->l->profile.mem, arg + 1);
	return *field ? 0 : diag_err(p->d, -ENOMEM, "out of memory");
}

int ds_read_events(struct ds_parse *p, const char *arg)
{
	p->l->profile.any_event = true;
	for (unsigned i = 0; i < DS_EVENTS; i++) {
		const char *name = ds_event_names[i];

		/* As in DISKSPD, text may follow the letter of a clock. */
		if (name[1] ? !strcmp(arg, name) : *arg == *name) {
			p->l->profile.event[i] = true;
			return 0;
		}
	}
	return parse_err(p,
			 "no such event; -e has, in capitals, PROCESS THREAD IMAGE_LOAD DISK_IO "
			 "MEMORY_PAGE_FAULTS MEMORY_HARD_FAULTS NETWORK REGISTRY, the clocks q c s, and p");
}

/* Reads the batch of -u: "8" or "25p". */
static int read_batch(struct ds_parse *p, const char *arg)
{
	size_t len = strlen(arg);
	bool percent = arg[len - 1] == 'p';
	char digits[16] = "";
	uint64_t v;

	len -= percent;
	if (len < sizeof(digits))
		memcpy(digits, arg, len);
	if (parse_digits(digits, UINT32_MAX, &v))
		return parse_err(p, "the batch is a number (-u8) or a percentage of the queue (-u25p)");
	if (!v || v > (percent ? 100u : 65536u))
		return parse_err(p, percent ? "the batch is 1 to 100 percent of the queue"
					    : "the batch is 1 to 65536 I/Os");
	p->span->io_ring_batch = percent ? 0 : (unsigned)v;
	p->span->io_ring_percent = percent ? (unsigned)v : 0;
	return 0;
}

int ds_read_ring(struct ds_parse *p, const char *arg)
{
	p->span->io_ring = true;
	p->span->io_ring_unregistered |= *arg == 'n';
	arg += *arg == 'n';
	return *arg ? read_batch(p, arg) : 0;
}

int ds_read_completions(struct ds_parse *p, const char *arg)
{
	int v = ds_atoi(arg, NULL);

	if (v < 1 || v > 16)
		return parse_err(p, "the completions to reap at a time are 1 to 16, such as -oc8");
	p->span->completion_depth_given = true;
	return parse_number(p, arg, 1, &p->span->completion_depth);
}

int ds_read_port_engine(struct ds_parse *p, const char *arg)
{
	if (strcmp(arg, "k") != 0 && strcmp(arg, "p") != 0)
		return parse_err(p, "diskspd-for-linux has -xk (kernel AIO) and -xp (POSIX AIO)");
	p->l->engine = *arg;
	return 0;
}

int ds_read_parent_process(struct ds_parse *p, const char *arg)
{
	uint64_t pid;

	if (parse_digits(arg, UINT32_MAX, &pid))
		return parse_err(p, "-A is an option of CrystalDiskMark's DISKSPD, the number of a process; "
				    "processors are -a");
	parse_note(p, "%s is an option of CrystalDiskMark's DISKSPD, and has no effect", p->argv[p->at]);
	return 0;
}
