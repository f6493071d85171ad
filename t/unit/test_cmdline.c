/* Which jobs does a command line make, and which errors and notes does it get? */
#include "format_names.h"
#include "strbuf.h"
#include "test_jobs.h"

/* clang-format off */
static const struct test_file files[] = {
	{ "a.fio", "[global]\nbs=8k\nthread\n[a]\nsize=1m\n[b]\nsize=2m\nbs=16k\n" },
	{ "b.fio", "[b1]\nsize=1m\n[global]\nbs=2k\n[b2]\n" },
	{ "layers.fio", "[global]\nbs=8k\n[a]\n[global]\niodepth=4\nioengine=libaio\n[b]\nbs=1k\n" },
	{ "engine.fio", "[global]\nhipri=1\n[a]\nioengine=async\n[b]\n" },
	{ "before.fio", "[a]\nhipri\nwidth=3\nioengine=async\n" },
	{ "wrong.fio", "[a]\nhipri\n" },
	{ "nobody.fio", "[global]\nhipri=0\n[a]\n" },
	{ "last.fio", "[global]\nioengine=async\nhipri=0\n[a]\nioengine=null\n" },
	{ "typo.fio", "[a]\nbs=4k\niodpeth=4\n" },
	{ "value.fio", "[a]\nbs=4q\n" },
	{ "afterall.fio", "[a]\n[global]\nbs=4q\n" },
	{ "noengine.fio", "[a]\nioengine=libaoi\n" },
	{ "foreign.fio", "[a]\nclustername=x\n" },
	{ "name.fio", "[global]\nname=g\n[a]\n[b]\nname=it is\n" },
	{ "kb.fio", "[a]\nsize=1k\nkb_base=1000\n" },
	{ "blank.fio", "[a]\nsize = 4k\nruntime = 10s\nnumjobs = 2\n" },
	{ "words.fio", "[a]\nreadwrite=write\nblocksize=4k\nbs=8k\ndescription=it's\n" },
	{ "keyword.fio", "[a]\nbs=4096*2/$ncpus*$ncpus\ndescription=2*$ncpus\n" },
	{ "arith.fio", "[a]\nsize=(4*1024)\n" },
	{ "allow.fio", "[global]\nallow_write=/dev/a\n[a]\nallow_write=/dev/b\n" },
	{ "switch.fio", "[global]\ndirect=1\n[a]\nbuffered=1\n[b]\n[global]\nbuffered=1\n[c]\n" },
	{ "bssplit.fio", "[a]\nbssplit=4k/60:8k/60:16k/\n" },
	{ "empty.fio", "" },
	{ "global.fio", "[global]\nbs=4k\n" },
	{ "x.fio", "[a]\nexitall\nstonewall=0\n" },
	{ "-", "[stdin]\nsize=1m\n" },
	{ NULL, NULL },
};

/* The expected jobs, in the form of --showcmd. */
static const struct {
	const char *args, *shown;
} good[] = {
	{ "--name=x --size=1m", "--name=x --size=1m" },
	{ "run --name=x --size=1m", "--name=x --size=1m" },
	{ "-name=x -size 1m -thread", "--name=x --size=1m --thread" },
	{ "--name x --numjob=3 --siz 4k --time_b=1 --runtime 5", "--name=x --numjobs=3 --size=4k --time_based=1 --runtime=5" },
	{ "--bs=4k --name=x --size=1m --name=y --bs=8k", "--name=x --bs=4k --size=1m --name=y --bs=8k" },
	{ "--name=x --bs=4k --bs=8k --blocksize=16k", "--name=x --bs=16k" },
	{ "--hipri --ioengine=async --name=x", "--name=x --hipri --ioengine=async" },
	{ "--name=x --hipri=0 --ioengine=async --width=9", "--name=x --hipri=0 --ioengine=async --width=9" },
	{ "--name=x --set bs=4k --bs=8k", "--name=x --bs=4k" },
	{ "--name=x --allow_write=/dev/a --allow_write=/dev/b", "--name=x --allow_write=/dev/a:/dev/b" },
	{ "--filename=a --name=x --filename=b --filename=c:d", "--name=x --filename=a --filename=b:c:d" },
	{ "--filename=a --name=x --filename=b --set filename=c", "--name=x --filename=c" },
	{ "a.fio", "--name=a --bs=8k --thread --size=1m --name=b --thread --size=2m --bs=16k" },
	{ "--runtime 30 a.fio", "--name=a --runtime=30 --bs=8k --thread --size=1m --name=b --runtime=30 --thread --size=2m --bs=16k" },
	{ "a.fio --bs=1k", "--name=a --bs=8k --thread --size=1m --name=b --thread --size=2m --bs=16k" },
	{ "a.fio --set bs=1k --set thread=0", "--name=a --size=1m --bs=1k --thread=0 --name=b --size=2m --bs=1k --thread=0" },
	{ "--loops=2 b.fio a.fio", "--name=b1 --loops=2 --size=1m --name=b2 --loops=2 --bs=2k "
	  "--name=a --stonewall --bs=8k --thread --size=1m --name=b --thread --size=2m --bs=16k" },
	{ "b.fio --loops=2 x.fio", "--name=b1 --loops=2 --size=1m --name=b2 --loops=2 --bs=2k --name=a --stonewall --exitall --stonewall=0" },
	{ "--bs=2k --name=q --loops=2 b.fio", "--name=q --bs=2k --loops=2 --name=b1 --bs=2k --size=1m --name=b2 --bs=2k" },
	{ "--section=b1 b.fio", "--name=b1 --size=1m" },
	{ "--section=b1 --section b b.fio a.fio", "--name=b1 --size=1m --name=b --stonewall --thread --size=2m --bs=16k" },
	{ "-", "--name=stdin --size=1m" },
	{ "--name=x -- b.fio", "--name=x --name=b1 --size=1m --name=b2 --bs=2k" },
	{ "layers.fio", "--name=a --bs=8k --name=b --iodepth=4 --ioengine=libaio --bs=1k" },
	{ "engine.fio", "--name=a --hipri=1 --ioengine=async --name=b" },
	{ "engine.fio --section=b", "--name=b" },
	{ "before.fio", "--name=a --hipri --width=3 --ioengine=async" },
	{ "last.fio", "--name=a --ioengine=null" },
	{ "name.fio", "--name=a --name='it is' --filename_format='b.$jobnum.$filenum'" },
	{ "words.fio", "--name=a --rw=write --bs=8k --description='it'\\''s'" },
	{ "arith.fio", "--name=a --size='(4*1024)'" },
	{ "switch.fio", "--name=a --buffered=1 --name=b --direct=1 --name=c --buffered=1" },
	{ "--name=x --write_bw_log --rw=read", "--name=x --write_bw_log --rw=read" },
	{ "--name=x --write_lat_log p -write_iops_log=q --write_bw_log", "--name=x --write_lat_log=p --write_iops_log=q --write_bw_log" },
	{ "--parse-only --terse-version=4", "" },
	{ "--parse-only", "" },
};
/* clang-format on */

static void test_good(void **state)
{
	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct parsed p;
		struct strbuf shown = { 0 }, expect = { 0 };

		parse_args(&p, good[i].args);
		assert_string_equal(diag_text(&p.d), "no error");
		assert_int_equal(p.err, 0);
		assert_int_equal(p.c.verb, VERB_RUN);
		cmdline_show(&p.set, &shown);
		strbuf_printf(&expect, "fiord%s%s\n", *good[i].shown ? " " : "", good[i].shown);
		assert_string_equal(strbuf_str(&shown), strbuf_str(&expect));
		strbuf_fini(&shown);
		strbuf_fini(&expect);
		free_parsed(&p);
	}
}

/* clang-format off */
static const struct {
	const char *args, *error;
} bad[] = {
	{ "typo.fio", "typo.fio:3: unknown option 'iodpeth'; did you mean 'iodepth'?" },
	{ "wrong.fio", "wrong.fio:2: hipri: an option of the engine async; this job's engine is psync" },
	{ "nobody.fio", "nobody.fio:2: hipri=0: an option of the engine async, but no job uses it" },
	{ "noengine.fio", "noengine.fio:2: ioengine=libaoi: no such engine; did you mean 'libaio'? (the engines are psync, null, libaio, async, filecreate, commands, streams)" },
	{ "bssplit.fio", "bssplit.fio:2: bssplit=4k/60:8k/60:16k/: the percentages add up to 120, which leaves nothing for the sizes without one" },
	{ "empty.fio", "empty.fio: no job in it; a job begins with [its name]" },
	{ "global.fio", "global.fio: no job in it; a job begins with [its name]" },
	{ "--section=zz b.fio", "--section=zz: no such section; the sections are b1, b2" },
	{ "--section=zz --name=x", "--section=zz: no such section; the job files have none" },
	{ "nosuch.fio", "cannot read job file 'nosuch.fio': No such file or directory (ENOENT)" },
	{ "bs=4k", "options begin with '--' (--bs=4k): cannot read job file 'bs=4k': No such file or directory (ENOENT)" },
	{ "--name=x check", "'check' must be the first word (fiord check ...): cannot read job file 'check': No such file or directory (ENOENT)" },
	{ "--RUNTIME=4", "unknown option '--RUNTIME'; did you mean '--runtime'?" },
	{ "--name=x --filename=:", "--filename=:: needs a path; write a colon in a path as \\:" },
	{ "- -", "'-' (standard input) can be read only once" },
	{ "--thread 1 b.fio", "--thread 1: write --thread=1" },
	{ "--bs", "--bs needs a value: --bs=..." },
	{ "--bs --name=x", "--bs needs a value, and --name=x is the next option" },
	{ "--name=", "--name= needs a name" },
	{ "--name=x --iodpeth=4", "unknown option '--iodpeth'; did you mean '--iodepth'?" },
	{ "--ouptut=f", "unknown option '--ouptut'; did you mean '--output'?" },
	{ "--xyzzy", "unknown option '--xyzzy'" },
	{ "---bs=4k", "unknown option '---bs'; did you mean '--bs'?" },
	{ "--iodepth_batch_com=1", "--iodepth_batch_com is short for more than one option: --iodepth_batch_complete_min, --iodepth_batch_complete_max" },
	{ "\xe2\x80\x93" "bs=4k", "\xe2\x80\x93" "bs=4k begins with a dash other than '-' (copied from a formatted page?); write --bs=4k" },
	{ "--name=x --hipri", "--hipri: an option of the engine async; this job's engine is psync" },
	{ "--hipri --name=x", "--hipri: an option of the engine async, but no job uses it" },
	{ "--name=x --set hipri", "--set hipri: an option of the engine async, but no job uses it" },
	{ "--name=x --set iodpeth=3", "--set iodpeth=3: unknown option 'iodpeth'; did you mean 'iodepth'?" },
	{ "--name=x --set =3", "--set =3: which option? (--set NAME=VALUE)" },
	{ "--output-format=json,xml", "--output-format=json,xml: 'xml' is not a format; write a list with commas of normal, terse, json, json+, diskspd and diskspd-xml" },
	{ "--output=", "--output=: needs a value" },
	{ "--status-interval=0", "--status-interval=0: out of range; allowed is 1ms or more" },
	{ "--name=x --bs=2g", "--bs=2g: out of range; allowed is 1 to 1g (Linux moves less than 2g in one call)" },
	{ "--name=x --bsrange=4k-2g",
	  "--bsrange=4k-2g: out of range; allowed is 1 to 1g (Linux moves less than 2g in one call)" },
	{ "--name=x --bssplit=4k/50:2g/50",
	  "--bssplit=4k/50:2g/50: 2g: out of range; block sizes are 1 to 1g (Linux moves less than 2g in one call)" },
	{ "--terse-version=9", "--terse-version=9: out of range; allowed is 2 to 5" },
	{ "--eta=often", "--eta=often: not a choice; write auto, always, never or full" },
	{ "--debug=job:3", "--debug=job:3: job:NUMBER is not supported; job prints the details of all jobs" },
	{ "--name=x --readonly --rw=write", "--rw=write: the job writes, and --readonly was given" },
	{ "", NULL },
	{ "run", "no job: name a job file, or begin a job with --name=NAME" },
	{ "check --bs=4k", "no job: name a job file, or begin a job with --name=NAME" },
	{ "--showcmd", "no job: name a job file, or begin a job with --name=NAME" },
	{ "--warnings-fatal --name=x --time_based", "--time_based: has no effect without runtime (a note, but --warnings-fatal was given)" },
};

/* The wording about the value comes from opt/; this module adds only the place. */
static const struct {
	const char *args, *begins;
} bad_value[] = {
	{ "value.fio", "value.fio:2: bs=4q: " },
	{ "afterall.fio", "afterall.fio:3: bs=4q: " },
	{ "foreign.fio", "foreign.fio:2: clustername=x: not supported" },
	{ "--bs=4q --name=x", "--bs=4q: " },
	{ "--name=x --bs=4q", "--bs=4q: " },
	{ "--name=x --set bs=4q", "--set bs=4q: " },
	{ "--name=x --bs=", "--bs=: needs a value" },
	{ "--name=x --rate=,,", "--rate=,,: needs a value" },
	{ "--name=x --ioengine=rbd", "--ioengine=rbd: " },
	{ "--client=host", "--client=host: not supported: run fiord on each host" },
	{ "--latency-log", "--latency-log: not supported: " },
	{ "--eta-interval=100", "--eta-interval=100: out of range" },
	{ "--wri=1", "--wri is short for more than one option: --write_" },
};
/* clang-format on */

static void test_bad(void **state)
{
	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct parsed p;

		parse_args(&p, bad[i].args);
		if (bad[i].error) {
			assert_string_equal(diag_text(&p.d), bad[i].error);
			assert_true(p.err < 0);
			assert_int_equal(p.d.kind, DIAG_USAGE);
		} else {
			assert_int_equal(p.err, 0);
			assert_int_equal(p.c.verb, VERB_USAGE);
		}
		free_parsed(&p);
	}
	for (size_t i = 0; i < sizeof(bad_value) / sizeof(bad_value[0]); i++) {
		struct parsed p;
		char *text;

		parse_args(&p, bad_value[i].args);
		assert_true(p.err < 0);
		text = strndup(diag_text(&p.d), strlen(bad_value[i].begins));
		assert_string_equal(text, bad_value[i].begins);
		free(text);
		free_parsed(&p);
	}
}

static const struct {
	const char *args;
	enum cmdline_verb verb;
	const char *topic;
} verbs[] = {
	{ "--version", VERB_VERSION, NULL },
	{ "-v", VERB_VERSION, NULL },
	{ "-version --nonsense", VERB_VERSION, NULL },
	{ "--help", VERB_HELP, NULL },
	{ "-h", VERB_HELP, NULL },
	{ "--help bs", VERB_HELP, "bs" },
	{ "--help=bs", VERB_HELP, "bs" },
	{ "help", VERB_HELP, NULL },
	{ "help --bs", VERB_HELP, "bs" },
	{ "help queue depth", VERB_HELP, "queue depth" },
	{ "--cmdhelp", VERB_CMDHELP, NULL },
	{ "--cmdhelp=zonemode", VERB_CMDHELP, "zonemode" },
	{ "--cmdhelp zonemode", VERB_CMDHELP, "zonemode" },
	{ "--cmdhelp --bs=4k", VERB_CMDHELP, NULL },
	{ "--inflate-log=x", VERB_INFLATE, "x" },
	{ "--inflate-log -x", VERB_INFLATE, "-x" },
	{ "--inflate-log", VERB_INFLATE, NULL },
	{ "--enghelp async,width", VERB_ENGHELP, "async,width" },
	{ "--enghelp=async,width", VERB_ENGHELP, "async,width" },
	{ "check b.fio", VERB_CHECK, NULL },
	{ "check --name=x", VERB_CHECK, NULL },
};

static void test_verbs(void **state)
{
	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		struct parsed p;

		parse_args(&p, verbs[i].args);
		assert_int_equal(p.err, 0);
		assert_int_equal(p.c.verb, verbs[i].verb);
		if (verbs[i].topic)
			assert_string_equal(p.c.topic, verbs[i].topic);
		else
			assert_null(p.c.topic);
		free_parsed(&p);
	}
}

static void test_flags(void **state)
{
	struct parsed p;

	(void)state;
	test_files = files;
	parse_args(&p,
		   "--name=x --output f --output-format=json,normal --readonly --eta=never --eta-newline=5 "
		   "--eta-interval=250 --aux-path=d --debug=file,io --debug=mem --warnings-fatal=0 --showcmd "
		   "--max-jobs=7");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.set.run.output.path, "f");
	assert_string_equal(p.set.run.aux_path, "d");
	assert_int_equal(p.set.run.formats, OUT_JSON | OUT_NORMAL);
	assert_true(p.set.run.readonly && p.set.run.showcmd && !p.set.run.parse_only &&
		    !p.set.run.warnings_fatal);
	assert_int_equal(p.set.run.eta, ETA_NEVER);
	assert_int_equal(p.set.run.eta_newline_ns, 5 * OPT_S);
	assert_int_equal(p.set.run.eta_interval_ns, 250 * OPT_MS);
	assert_int_equal(p.set.run.debug, 1 << 1 | 1 << 2 | 1 << 3);
	free_parsed(&p);

	parse_args(&p, "--name=x --output-format=csv,json+ --terse-version=5");
	assert_int_equal(p.set.run.formats, OUT_TERSE | OUT_JSON | OUT_JSON_PLUS);
	assert_int_equal(p.set.run.terse_version, 5);
	free_parsed(&p);

	parse_args(&p, "--name=x --minimal");
	assert_int_equal(p.set.run.formats, OUT_TERSE);
	assert_int_equal(p.set.run.terse_version, 3);
	free_parsed(&p);

	parse_args(&p, "--name=x --append-terse");
	assert_int_equal(p.set.run.formats, OUT_NORMAL | OUT_TERSE);
	free_parsed(&p);

	parse_args(&p, "--name=x --debug=all");
	assert_int_equal(p.set.run.formats, OUT_NORMAL);
	assert_null(p.set.run.output.path);
	assert_int_equal(p.set.run.eta, ETA_AUTO);
	assert_int_equal(p.set.run.eta_interval_ns, 500 * OPT_MS);
	assert_int_equal(p.set.run.debug, (1 << 20) - 1);
	assert_int_equal(p.set.notes.count, 0);
	free_parsed(&p);
}

/* What of --output goes where: each format to its own files, the rest to the plain file or to standard
 * output. */
static void test_outputs(void **state)
{
	static const struct {
		const char *args, *path, *files; /* files: format:path, each with a space behind */
		unsigned rest;
	} cases[] = {
		{ "--output=a:b", "a:b", "", OUT_NORMAL },
		{ "--output=./json:x", "./json:x", "", OUT_NORMAL },
		{ "--output=test:1", "test:1", "", OUT_NORMAL },
		{ "--output=json", "json", "", OUT_NORMAL },
		{ "--output=old --output=new", "new", "", OUT_NORMAL },
		{ "--output=json:x", NULL, "json:x ", OUT_NORMAL },
		{ "--output=json:x:y --output=p", "p", "json:x:y ", OUT_NORMAL },
		{ "--output=normal:x", NULL, "normal:x ", 0 },
		{ "--output=minimal:x --output=json+:y", NULL, "terse:x json+:y ", OUT_NORMAL },
		{ "--output=json:x --output=json:y", NULL, "json:x json:y ", OUT_NORMAL },
		{ "--output-format=json,normal --output=json:x", NULL, "json:x ", OUT_NORMAL },
		{ "--output=json:x --output-format=json+", NULL, "json:x ", OUT_JSON | OUT_JSON_PLUS },
		{ "--output=json+:x --output-format=json", NULL, "json+:x ", OUT_JSON },
		{ "--output=terse:x --minimal", NULL, "terse:x ", 0 },
		{ "--output=diskspd-xml:x --output-format=diskspd", NULL, "diskspd-xml:x ", OUT_DISKSPD },
	};
	struct parsed p;

	(void)state;
	test_files = files;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf b = { 0 };
		char args[256];

		snprintf(args, sizeof(args), "--name=x %s", cases[i].args);
		parse_args(&p, args);
		assert_int_equal(p.err, 0);
		for (size_t k = 0; k < p.set.run.nfiles; k++) {
			format_print(p.set.run.files[k].formats, &b);
			strbuf_printf(&b, ":%s ", p.set.run.files[k].path);
			assert_int_equal(p.set.run.formats & p.set.run.files[k].formats,
					 p.set.run.files[k].formats);
		}
		assert_string_equal(strbuf_str(&b), cases[i].files);
		assert_int_equal(p.set.run.output.formats, cases[i].rest);
		if (cases[i].path)
			assert_string_equal(p.set.run.output.path, cases[i].path);
		else
			assert_null(p.set.run.output.path);
		strbuf_fini(&b);
		free_parsed(&p);
	}
	parse_args(&p, "--name=x --output=html:page --csv=t");
	assert_string_equal(p.set.run.report, "page");
	assert_int_equal(p.set.run.output.formats, OUT_NORMAL);
	free_parsed(&p);
}

static const struct {
	const char *args, *note; /* NULL: no note */
} noted[] = {
	{ "--bs=1k a.fio", "--bs=1k is only a default: a.fio:2 sets bs=8k; use --set bs=1k to override" },
	{ "--bs=1k a.fio", "--bs=1k is only a default: a.fio:8 sets bs=16k; use --set bs=1k to override" },
	{ "--bs=16k --section=b a.fio", NULL },
	{ "--bs=1k --set bs=1k a.fio", NULL },
	{ "--thread --section=a a.fio", NULL },
	{ "--bs=1k --name=x --bs=2k", NULL },
	{ "--allow_write=/dev/x allow.fio", NULL },
	{ "--hipri=0 engine.fio",
	  "--hipri=0 is only a default: engine.fio:2 sets hipri=1; use --set hipri=0 to override" },
	{ "--loops=2 b.fio x.fio",
	  "options of the command line are defaults for the first job file only; --set applies to all" },
	{ "--name=x --ioengine=windowsaio",
	  "ioengine=windowsaio: libaio is used, which corresponds to it here" },
	{ "--name=x --ioengine=libaio", NULL },
	{ "--name=x --ioengine=aio", NULL },
	{ "--name=x --alloc-size 32",
	  "alloc-size: has no meaning here: shared memory is sized from the jobs" },
	{ "blank.fio",
	  "blank.fio:2: size = 4k: the blanks are dropped; fio keeps them and reads another value" },
	{ "last.fio", "last.fio:3: hipri has no effect: no job uses it" },
};

static void test_notes(void **state)
{
	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(noted) / sizeof(noted[0]); i++) {
		struct parsed p;

		parse_args(&p, noted[i].args);
		assert_int_equal(p.err, 0);
		if (noted[i].note && !has_note(&p, noted[i].note))
			fail_msg("%s: no note '%s'", noted[i].args, noted[i].note);
		if (!noted[i].note && p.set.notes.count)
			fail_msg("%s: note '%s'", noted[i].args, p.set.notes.line[0]);
		free_parsed(&p);
	}
	struct parsed p;

	parse_args(&p, "blank.fio");
	assert_int_equal(p.set.notes.count, 1); /* fio reads the time and the plain number the same way */
	free_parsed(&p);
}

/* Prints a list as "a=1 b". */
static void list_givens(const struct user_options *l, struct strbuf *out)
{
	for (size_t i = 0; i < l->n; i++)
		strbuf_printf(out, "%s%s%s%s", i ? " " : "", l->v[i].name, l->v[i].text ? "=" : "",
			      l->v[i].text ? l->v[i].text : "");
}

static const struct {
	const char *args, *globals; /* NULL: none */
} globals[] = {
	{ "a.fio", "bs=8k thread" },
	{ "b.fio", "bs=2k" },
	{ "--loops=2 a.fio", "loops=2 bs=8k thread" },
	{ "layers.fio", "bs=8k iodepth=4 ioengine=libaio" },
	{ "engine.fio", "hipri=1" },
	{ "x.fio", NULL },
	{ "a.fio b.fio", NULL },
	{ "--bs=4k --name=x --size=1m", "bs=4k" },
	{ "--name=x --bs=4k", NULL },
	{ "--set loops=3 a.fio", "bs=8k thread" },
};

/* The "global options" and "job options" of the JSON document. */
static void test_givens(void **state)
{
	struct parsed p;
	struct strbuf b = { 0 };

	(void)state;
	test_files = files;
	for (size_t i = 0; i < sizeof(globals) / sizeof(globals[0]); i++) {
		parse_args(&p, globals[i].args);
		assert_int_equal(p.err, 0);
		assert_int_equal(p.set.has_globals, globals[i].globals != NULL);
		list_givens(&p.set.globals, &b);
		assert_string_equal(strbuf_str(&b), globals[i].globals ? globals[i].globals : "");
		strbuf_clear(&b);
		free_parsed(&p);
	}
	parse_args(&p, "words.fio --set exitall");
	list_givens(&p.set.jobs[0].own, &b);
	assert_string_equal(strbuf_str(&b), "rw=write bs=8k description=it's exitall");
	free_parsed(&p);
	strbuf_clear(&b);
	parse_args(&p, "--name=x --thread");
	list_givens(&p.set.jobs[0].own, &b);
	assert_string_equal(strbuf_str(&b), "name=x thread");
	free_parsed(&p);
	strbuf_fini(&b);
}

/* Values reach the structs of the jobs, and each job has its own. */
static void test_values(void **state)
{
	const struct async_opts *o;
	struct parsed p;

	(void)state;
	test_files = files;
	parse_args(&p, "a.fio --set filename=/x");
	assert_int_equal(p.set.njobs, 2);
	assert_int_equal(p.set.jobs[0].opts.bs[DIR_READ], 8192);
	assert_int_equal(p.set.jobs[1].opts.bs[DIR_READ], 16384);
	assert_string_equal(p.set.jobs[0].opts.files.filename, "/x");
	assert_ptr_not_equal(p.set.jobs[0].opts.files.filename, p.set.jobs[1].opts.files.filename);
	assert_int_equal(p.set.jobs[1].at.line, 6);
	free_parsed(&p);

	parse_args(&p, "before.fio engine.fio");
	assert_int_equal(p.set.njobs, 3);
	o = p.set.jobs[0].engine_opts;
	assert_true(o->hipri && o->width == 3);
	o = p.set.jobs[1].engine_opts;
	assert_true(o->hipri && o->width == 8);
	assert_null(p.set.jobs[2].engine_opts);
	assert_false(p.set.jobs[0].first_of_file);
	assert_true(p.set.jobs[1].first_of_file);
	assert_false(p.set.jobs[2].first_of_file);
	free_parsed(&p);

	parse_args(&p, "kb.fio"); /* kb_base applies to options above it, too */
	assert_int_equal(p.set.jobs[0].opts.files.size.bytes, 1000);
	free_parsed(&p);

	parse_args(&p, "keyword.fio arith.fio");
	assert_int_equal(p.err, 0);
	assert_true(p.set.jobs[0].opts.bs[DIR_READ] > 0 && p.set.jobs[0].opts.bs[DIR_READ] <= 8192);
	assert_memory_equal(p.set.jobs[0].opts.group.description, "2*", 2);
	assert_int_equal(p.set.jobs[1].opts.files.size.bytes, 4096);
	free_parsed(&p);

	parse_args(&p, "--allow_write=/dev/c allow.fio --allow_write=/dev/d");
	assert_string_equal(p.set.jobs[0].opts.files.allow_write, "/dev/c:/dev/d:/dev/a:/dev/b");
	free_parsed(&p);
}

int unit_cmdline(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),   cmocka_unit_test(test_bad),     cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_flags),  cmocka_unit_test(test_outputs), cmocka_unit_test(test_notes),
		cmocka_unit_test(test_givens), cmocka_unit_test(test_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
