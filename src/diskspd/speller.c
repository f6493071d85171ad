#include "speller.h"

#include <inttypes.h>
#include <string.h>
#include "flags.h"
#include "profile.h"
#include "profile_line.h"
#include "strbuf.h"
#include "units.h"

/* clang-format off */
/* The element of a profile for each flag. */
static const struct { const char *form, *element; } elements[] = {
	{ "-a", "<Affinity>" }, { "-b", "<BlockSize>" }, { "-B", "<BaseFileOffset>" }, { "-c", "<FileSize>" },
	{ "-C", "<Cooldown>" }, { "-d", "<Duration>" }, { "-D", "<IoBucketDuration>" }, { "-f", "<MaxFileSize>" },
	{ "-F", "<ThreadCount>" }, { "-g", "<Throughput>" }, { "-h", "<DisableOSCache>" }, { "-i", "<BurstSize>" },
	{ "-I", "<IOPriority>" }, { "-j", "<ThinkTime>" }, { "-l", "<UseLargePages>" }, { "-N", "<FlushType>" },
	{ "-o", "<RequestCount>" }, { "-oc", "<CompletionDepth>" }, { "-O", "<RequestCount>" },
	{ "-p", "<ParallelAsyncIO>" }, { "-r", "<Random>" }, { "-rs", "<RandomRatio>" }, { "-rd", "<Distribution>" },
	{ "-s", "<StrideSize>" }, { "-si", "<InterlockedSequential>" }, { "-S", "<DisableOSCache>" },
	{ "-Sm", "<MemoryMappedIo>" }, { "-Sr", "<DisableLocalCache>" }, { "-t", "<ThreadsPerFile>" },
	{ "-T", "<ThreadStride>" }, { "-u", "<IoRing>" }, { "-w", "<WriteRatio>" }, { "-W", "<Warmup>" },
	{ "-x", "<CompletionRoutines>" }, { "-z", "<RandSeed>" }, { "-Z", "<WriteBufferContent>" },
};

/* Elements that hold only a part of their flag's meaning. */
static const struct { const char *option, *element; } partial_elements[] = {
	{ "write_pool_file", "<FilePath>" }, { "remote_only", "<DisableLocalCache>" },
};

/* Values that messages recommend: on a line, on a line of diskspd-for-linux, and in a profile. '*'
   stands for the value. */
static const struct { const char *setting, *line, *port, *profile; } settings[] = {
	{ "direct=1", "-Su", "-Sd", "<DisableOSCache>" },
	{ "end_fsync=1", "-Sw", "-Ss", "<WriteThrough>" },
	{ "sync=dsync", "-Sh", "-Sh", "<WriteThrough>" },
	{ "rw=write", "-w100", "-w100", "<WriteRatio>100" },
	{ "bs=*", "-b*", "-b*", "<BlockSize>*" },
	{ "allow_write=*", "--allow_write=*", "--allow_write=*", "--allow_write=*" },
	{ "allow_mounted_write=1", "--allow_mounted_write=1", "--allow_mounted_write=1",
	  "--allow_mounted_write=1" },
};

/* Other words of messages; NULL: the message's own words stay. '*' stands for the end of the words in a
   job file. */
static const struct { const char *key, *job, *line, *port, *profile; } words[] = {
	{ "clone", "clone*", "thread*", "thread*", "thread*" },
	{ "worker", "worker*", "thread*", "thread*", "thread*" },
	{ "job", "*", "the line", "the line", "the profile" },
	{ "needs", "*", "-c needs", "-c needs", "<FileSize> needs" },
	{ "cached", "*", "leave -S out, or write -Sb", "leave -S out", "leave <DisableOSCache> out" },
	{ "create", "-c<size> creates it, such as -c1G", NULL, NULL, "<FileSize> creates it" },
	{ "create", "-c<size> creates it again, such as -c1G", NULL, NULL, "<FileSize> creates it again" },
	{ "block", "-b4K", NULL, NULL, "4096" },
	{ "recreate", "allow_write=*", "--recreate or --allow_write=*", "--allow_write=*",
	  "--recreate or --allow_write=*" },
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

const char *ds_xml_element(const char *form)
{
	for (size_t i = 0; i < COUNT(elements); i++)
		if (!strcmp(elements[i].form, form))
			return elements[i].element;
	return NULL;
}

/* Returns true if the text matches the pattern, in which '*' stands for any end. *rest: the text at the
   '*'. */
static bool matches(const char *pattern, const char *text, const char **rest)
{
	size_t n = strcspn(pattern, "*");

	*rest = text + n;
	return !strncmp(pattern, text, n) && (pattern[n] || !text[n]);
}

static void put_pattern(struct strbuf *out, const char *pattern, const char *rest)
{
	size_t n = strcspn(pattern, "*");

	strbuf_add(out, pattern, n);
	if (pattern[n])
		strbuf_puts(out, rest);
}

static const char *choose(const struct ds_speller *s, const char *line, const char *port, const char *profile)
{
	if (s->xml)
		return profile;
	return s->dialect == DS_DIALECT_LINUX ? port : line;
}

/* Adds the size of a file that -c creates. Returns false if the text is not such a setting. */
static bool put_file_size(const struct ds_speller *s, const char *text, struct strbuf *out)
{
	const char *rest, *hint;
	uint64_t bytes;

	if ((!matches("filesize=*", text, &rest) && !matches("create_size=*", text, &rest)) ||
	    units_size(rest, 1024, &bytes, &hint))
		return false;
	if (s->xml) {
		strbuf_printf(out, "<FileSize>%" PRIu64, bytes);
		return true;
	}
	strbuf_puts(out, "-c");
	ds_profile_line_size(out, bytes);
	return true;
}

static bool put_setting(const struct ds_speller *s, const char *text, struct strbuf *out)
{
	const char *rest;

	if (put_file_size(s, text, out))
		return true;
	for (size_t i = 0; i < COUNT(settings); i++) {
		if (!matches(settings[i].setting, text, &rest))
			continue;
		put_pattern(out, choose(s, settings[i].line, settings[i].port, settings[i].profile), rest);
		return true;
	}
	return false;
}

static bool put_typed(const struct ds_speller *s, const struct ds_flag *f, struct strbuf *out)
{
	bool any = false;

	for (int i = 0; i < s->argc; i++) {
		const struct ds_flag *row =
			s->argv[i][0] == '-' ? ds_flag_find(s->dialect, s->argv[i]) : NULL;

		if (!row || strcmp(row->form, f->form) != 0)
			continue;
		strbuf_printf(out, "%s%s", any ? " " : "", s->argv[i]);
		any = true;
	}
	return any;
}

static void put_form(const struct ds_speller *s, const char *form, struct strbuf *out)
{
	const char *element = s->xml ? ds_xml_element(form) : NULL;

	strbuf_puts(out, element ? element : form);
}

/* Adds the flag as it was typed, or its bare form if it was not typed or the message has the option's
   name alone. */
static bool put_flag(const struct ds_speller *s, const char *name, bool value, struct strbuf *out)
{
	const struct ds_flag *first = NULL;

	for (size_t i = 0; i < ds_flag_count; i++) {
		const struct ds_flag *f = &ds_flags[i];

		if (!(f->dialects & DS_IN(s->dialect)) || !ds_flag_becomes(f, name))
			continue;
		if (value && put_typed(s, f, out))
			return true;
		first = first ? first : f;
	}
	if (first)
		put_form(s, first->form, out);
	return first;
}

static bool put_option(const struct ds_speller *s, const char *text, struct strbuf *out)
{
	char name[40];
	size_t n = strcspn(text, "=");

	if (n >= sizeof(name))
		return false;
	memcpy(name, text, n);
	name[n] = '\0';
	for (size_t i = 0; s->xml && i < COUNT(partial_elements); i++) {
		if (strcmp(partial_elements[i].option, name) != 0)
			continue;
		strbuf_printf(out, "%s%s", partial_elements[i].element,
			      strcmp(name, "remote_only") ? text + n + 1 : "");
		return true;
	}
	return put_flag(s, strcmp(name, "mem") ? name : "iomem", text[n], out);
}

/* Adds the element for a flag in a message about a profile, such as "-c1G", unless the flag was typed.
   Returns false if the message's words stay. */
static bool put_named_flag(const struct ds_speller *s, const char *text, struct strbuf *out)
{
	const struct ds_flag *f = ds_flag_find(s->dialect, text);
	const char *element = ds_xml_element(text);
	size_t n = element ? strlen(text) : f ? strlen(f->form) : 0;

	element = element ? element : f ? ds_xml_element(f->form) : NULL;
	for (int i = 0; i < s->argc; i++)
		if (!strcmp(s->argv[i], text))
			return false;
	if (!s->xml || !element)
		return false;
	strbuf_printf(out, "%s%s", element, text + n);
	return true;
}

static bool put_spelled_word(const struct ds_speller *s, const char *key, const char *text,
			     struct strbuf *out)
{
	const char *rest, *pattern;

	if (!strcmp(key, "flag"))
		return put_named_flag(s, text, out);
	for (size_t i = 0; i < COUNT(words); i++) {
		if (strcmp(words[i].key, key) != 0 || !matches(words[i].job, text, &rest))
			continue;
		pattern = choose(s, words[i].line, words[i].port, words[i].profile);
		if (pattern)
			put_pattern(out, pattern, rest);
		return pattern;
	}
	return false;
}

static bool spell(const struct speller *speller, enum message_mark mark, const char *key, const char *text,
		  struct strbuf *out)
{
	const struct ds_speller *s = speller->ctx;

	switch (mark) {
	case MARK_OPTION:
		return put_option(s, text, out);
	case MARK_SETTING:
		return put_setting(s, text, out);
	case MARK_WORD:
		return put_spelled_word(s, key, text, out);
	case MARK_PLACE:
		return !strncmp(text, s->file, strlen(s->file));
	case MARK_SECTION:
		if (s->sections > 1)
			strbuf_printf(out, "%s: ", text);
		return true;
	}
	return false;
}

/* Returns the next flag, from *i on, that becomes this job option. Rows with the same form count once. -h is
   left out, because it is an old name of -Sh. */
static const struct ds_flag *next_flag(enum ds_dialect dialect, const char *option, size_t *i)
{
	for (; *i < ds_flag_count; ++*i) {
		const struct ds_flag *f = &ds_flags[*i];

		if (!(f->dialects & DS_IN(dialect)) || !ds_flag_becomes(f, option) || !strcmp(f->form, "-h"))
			continue;
		while (*i < ds_flag_count && !strcmp(ds_flags[*i].form, f->form))
			++*i;
		return f;
	}
	return NULL;
}

/* Adds the flag, or the element of a profile if a line may not have the flag beside a profile. */
static void put_place(const struct ds_flag *f, bool profile, struct strbuf *out)
{
	const char *element = profile ? ds_xml_element(f->form) : NULL;
	bool allowed_with_profile = f->first_pass && strcmp(f->form, "-b") != 0;

	strbuf_puts(out, element && !allowed_with_profile ? element : f->form);
}

bool ds_speller_places(enum ds_dialect dialect, const char *option, bool profile, struct strbuf *out)
{
	size_t i = 0;
	const struct ds_flag *f = next_flag(dialect, option, &i), *next;

	if (!f)
		return false;
	put_place(f, profile, out);
	for (f = next_flag(dialect, option, &i); f; f = next) {
		next = next_flag(dialect, option, &i);
		strbuf_puts(out, next ? ", " : " or ");
		put_place(f, profile, out);
	}
	return true;
}

struct speller ds_speller(const struct ds_speller *s)
{
	return (struct speller){ .spell = spell, .ctx = s };
}
