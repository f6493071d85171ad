#include "reword.h"

#include <ctype.h>
#include <string.h>
#include "flags.h"
#include "strbuf.h"

/* clang-format off */
/* The profile's element of a flag. */
static const struct { const char *form, *element; } elements[] = {
	{ "-a", "Affinity" }, { "-b", "BlockSize" }, { "-B", "BaseFileOffset" }, { "-c", "FileSize" },
	{ "-C", "Cooldown" }, { "-d", "Duration" }, { "-D", "IoBucketDuration" }, { "-f", "MaxFileSize" },
	{ "-F", "ThreadCount" }, { "-g", "Throughput" }, { "-h", "DisableOSCache" }, { "-i", "BurstSize" },
	{ "-I", "IOPriority" }, { "-j", "ThinkTime" }, { "-l", "UseLargePages" }, { "-N", "FlushType" },
	{ "-o", "RequestCount" }, { "-oc", "CompletionDepth" }, { "-O", "RequestCount" },
	{ "-p", "ParallelAsyncIO" }, { "-r", "Random" }, { "-rs", "RandomRatio" }, { "-rd", "Distribution" },
	{ "-s", "StrideSize" }, { "-si", "InterlockedSequential" }, { "-S", "DisableOSCache" },
	{ "-t", "ThreadsPerFile" }, { "-T", "ThreadStride" }, { "-u", "IoRing" }, { "-w", "WriteRatio" },
	{ "-W", "Warmup" }, { "-x", "CompletionRoutines" }, { "-z", "RandSeed" }, { "-Z", "WriteBufferContent" },
};

/* Advice and words that are about jobs. "" drops what stands there. */
static const struct phrase { const char *job, *line; } phrases[] = {
	{ " (direct=0)", "" },
	{ "direct=1 measures the device, end_fsync=1 counts the flush", "-Su measures the device, -Sw counts the flushes, too" },
	{ "direct=1 measures the device", "-Su measures the device" },
	{ "does not support direct I/O; use direct=0", "does not support unbuffered I/O; leave -S out, or say -Sb" },
	{ "libaio with direct=0", "libaio without -S" },
	{ "; say direct=1, or ioengine=io_uring", "" },
	{ "cpus_allowed_policy=split: ", "" },
	{ "rate_wait=auto: ", "" },
	{ ", which is in resp; rate_wait=exact keeps to the time of each", "" },
	{ "fsync=1 or sync=dsync measures", "-Sh measures" },
	{ "write the whole file first, with rw=write", "write the whole file first, with -w100" },
	{ ", or say openfiles=N", "" },
	{ "; bs=", "; -b" },
	{ "; allow_write=", "; --allow_write=" },
	{ "say allow_write=", "say --recreate, or --allow_write=" },
	{ ", or allow_write=", ", or --allow_write=" },
	{ ", the job needs ", ", -c asks for " },
	{ ", the job reads ", ", the line reads " },
	{ "a longer runtime makes", "a longer -d makes" },
	{ "choose a smaller size", "make it smaller" },
	{ " (diskspd -Sr)", "" },
	{ " clones ", " threads " },
	{ " workers ", " threads " },
	{ "its worker used", "its thread used" },
	{ "clone ", "thread " },
	{ NULL, NULL },
};

/* Before that: of a line of diskspd-for-linux; of a profile, and after that, too. */
static const struct phrase of_port[] = {
	{ "direct=1 measures the device, end_fsync=1 counts the flush", "-Sd measures the device, -Ss counts the flushes, too" },
	{ "direct=1 measures the device", "-Sd measures the device" },
	{ "does not support direct I/O; use direct=0", "does not support unbuffered I/O; leave -S out" },
	{ NULL, NULL },
};
static const struct phrase of_profile[] = {
	{ "write_pool_file=", "<FilePath>" },
	{ "remote_only=1 (diskspd -Sr)", "<DisableLocalCache>" },
	{ NULL, NULL },
};
static const struct phrase elements_more[] = {
	{ "-c<size> makes one, such as -c1G", "<FileSize> makes one" },
	{ "-c<size> makes it anew, such as -c1G", "<FileSize> makes it anew" },
	{ "-b0: a block of no bytes moves nothing; write -b4K", "<BlockSize>0: a block of no bytes moves nothing; write 4096" },
	{ "-Su, -Sh, -Sr", "<DisableOSCache>" },
	{ "leave -S out, or say -Sb", "leave <DisableOSCache> out" },
	{ "-Sh measures", "<WriteThrough> measures" },
	{ "-Su", "<DisableOSCache>" },
	{ "-Sw", "<WriteThrough>" },
	{ "-Sm", "<MemoryMappedIo>" },
	{ "-Sr", "<DisableLocalCache>" },
	{ NULL, NULL },
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool in_name(char c)
{
	return islower((unsigned char)c) || isdigit((unsigned char)c) || c == '_' || c == '-';
}

static bool typed(const struct ds_reword *r, const struct ds_flag *f, struct strbuf *out)
{
	bool any = false;

	for (int i = 0; i < r->argc; i++) {
		const struct ds_flag *has =
			r->argv[i][0] == '-' ? ds_flag_find(r->dialect, r->argv[i]) : NULL;

		if (!has || strcmp(has->form, f->form) != 0)
			continue;
		strbuf_printf(out, "%s%s", any ? " " : "", r->argv[i]);
		any = true;
	}
	return any;
}

const char *ds_element(const char *form)
{
	for (size_t i = 0; i < COUNT(elements); i++)
		if (!strcmp(elements[i].form, form))
			return elements[i].element;
	return NULL;
}

/* The option with its value, as it was typed; else what it is called there. False: it comes from no flag. */
static bool put_flag(const struct ds_reword *r, const char *name, struct strbuf *out)
{
	const struct ds_flag *first = NULL;

	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];

		if (!(f->dialects & DS_IN(r->dialect)) || !ds_flag_becomes(f, name))
			continue;
		if (typed(r, f, out))
			return true;
		first = first ? first : f;
	}
	if (!first)
		return false;
	if (r->xml && ds_element(first->form))
		strbuf_printf(out, "<%s>", ds_element(first->form));
	else
		strbuf_puts(out, first->form);
	return true;
}

/* Of "bs=512: ..." the length of name and value; 0: it is none, or comes from no flag. */
static size_t put_option(const struct ds_reword *r, const char *s, struct strbuf *out)
{
	char name[40];
	size_t n = 0, end;

	while (in_name(s[n]))
		n++;
	if (!n || s[n] != '=' || n >= sizeof(name))
		return 0;
	memcpy(name, s, n);
	name[n] = '\0';
	if (!put_flag(r, strcmp(name, "mem") ? name : "iomem", out))
		return 0;
	end = n + strcspn(s + n, " ");
	while (strchr(":;,).", s[end - 1]))
		end--;
	return end;
}

static size_t put_phrase(const struct phrase *p, const char *s, struct strbuf *out)
{
	for (; p->job; p++) {
		size_t n = strlen(p->job);

		if (strncmp(s, p->job, n))
			continue;
		strbuf_puts(out, p->line);
		return n;
	}
	return 0;
}

/* A target's name is no message. */
static size_t put_path(const struct ds_reword *r, const char *s, struct strbuf *out)
{
	size_t longest = 0;

	for (size_t i = 0; i < r->profile->spans; i++) {
		for (size_t k = 0; k < r->profile->span[i].targets; k++) {
			const char *path = r->profile->span[i].target[k].path;
			size_t n = strlen(path);

			if (n > longest && !strncmp(s, path, n) && !in_name(s[n]))
				longest = n;
		}
	}
	strbuf_add(out, s, longest);
	return longest;
}

/* Behind "file:12: ", or where it begins. */
static const char *behind_file(const struct ds_reword *r, const char *s)
{
	size_t n = strlen(r->file);

	if (strncmp(s, r->file, n) || s[n] != ':')
		return s;
	s += n + 1;
	if (isdigit((unsigned char)*s)) {
		s += strspn(s, "0123456789");
		s += *s == ':';
	}
	return s + (*s == ' ');
}

/* "[section]: " */
static const char *put_section(const struct ds_reword *r, const char *s, struct strbuf *out)
{
	const char *end = *s == '[' ? strstr(s, "]: ") : NULL;

	if (!end)
		return s;
	if (r->many)
		strbuf_printf(out, "%.*s: ", (int)(end - s - 1), s + 1);
	return end + 3;
}

/* A flag that stands for an element, and was not typed itself. */
static size_t put_element(const struct ds_reword *r, const char *s, struct strbuf *out)
{
	char flag[40];
	size_t n = strcspn(s, " ,;:)");
	const struct ds_flag *f;

	if (*s != '-' || n >= sizeof(flag))
		return 0;
	memcpy(flag, s, n);
	flag[n] = '\0';
	for (int i = 0; i < r->argc; i++)
		if (!strcmp(r->argv[i], flag))
			return 0;
	f = ds_flag_find(r->dialect, flag);
	if (!f || !ds_element(f->form))
		return 0;
	strbuf_printf(out, "<%s>", ds_element(f->form));
	return strlen(f->form);
}

/* Flags that are left, of a profile. */
static void name_elements(const struct ds_reword *r, const char *s, struct strbuf *out)
{
	bool begins = true;

	while (*s) {
		size_t n = begins ? put_path(r, s, out) : 0;

		if (!n && begins)
			n = put_phrase(elements_more, s, out);
		if (!n && begins)
			n = put_element(r, s, out);
		if (!n)
			strbuf_putc(out, s[n++]);
		s += n;
		begins = s[-1] == ' ' || s[-1] == '(';
	}
}

static void say(const struct ds_reword *r, const char *text, struct strbuf *out)
{
	bool port = r->dialect == DS_DIALECT_LINUX;
	const char *s = put_section(r, behind_file(r, text), out);
	bool begins = true; /* a word does here */

	while (*s) {
		size_t n = begins ? put_path(r, s, out) : 0;

		n = n || !port ? n : put_phrase(of_port, s, out);
		n = n || !r->xml ? n : put_phrase(of_profile, s, out);
		n = n ? n : put_phrase(phrases, s, out);
		if (!n && begins)
			n = put_option(r, s, out);
		if (!n)
			strbuf_putc(out, s[n++]);
		s += n;
		begins = !in_name(s[-1]) && s[-1] != '/' && s[-1] != '.';
	}
}

void ds_reword(const struct ds_reword *r, const char *text, struct strbuf *out)
{
	struct strbuf b = { 0 };

	if (!r->xml) {
		say(r, text, out);
		return;
	}
	say(r, text, &b);
	name_elements(r, strbuf_str(&b), out);
	strbuf_fini(&b);
}
