#include "path_map.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "profile_check.h"
#include "strbuf.h"

enum kind {
	P_LINUX,
	P_RELATIVE, /* a\b */
	P_DRIVE,    /* X:\a X:a */
	P_VOLUME,   /* X: */
	P_PHYSICAL, /* #4 */
	P_SHARE,    /* \\srv\share\a */
	P_ROOTED,   /* \a: of the current drive */
};

static bool is_sep(char c)
{
	return c == '\\' || c == '/';
}

static bool is_drive(const char *s)
{
	return isalpha((unsigned char)s[0]) && s[1] == ':';
}

static enum kind kind_of(const char *s)
{
	if (is_drive(s))
		return s[2] ? P_DRIVE : P_VOLUME;
	if (s[0] == '#' && isdigit((unsigned char)s[1]))
		return P_PHYSICAL;
	if (s[0] == '\\')
		return s[1] == '\\' ? P_SHARE : P_ROOTED;
	return s[0] != '/' && strchr(s, '\\') ? P_RELATIVE : P_LINUX;
}

static bool in_namespace(const char *s)
{
	return !strncmp(s, "\\\\?\\", 4) || !strncmp(s, "\\\\.\\", 4);
}

/* What "\\?\" and "\\.\" hold, if it has a name without them; *drive: the digits of a PhysicalDrive. */
static const char *without_namespace(const char *s, const char **drive, bool *share)
{
	static const char physical[] = "PhysicalDrive";
	const char *in;

	if (!in_namespace(s))
		return s;
	in = s + 4;
	if (!strncasecmp(in, physical, sizeof(physical) - 1))
		*drive = in + sizeof(physical) - 1;
	*share = !strncasecmp(in, "UNC\\", 4);
	if (*share)
		return in + 4;
	return *drive || is_drive(in) ? in : s;
}

/* Adds a component; "." is nothing, ".." takes the last one away, down to `root`. */
static void add_part(struct strbuf *b, size_t root, const char *part, size_t len)
{
	if (!len || (len == 1 && *part == '.'))
		return;
	if (len == 2 && !strncmp(part, "..", 2)) {
		while (b->len > root && b->text[b->len - 1] != '\\')
			b->text[--b->len] = '\0';
		if (b->len > root)
			b->text[--b->len] = '\0';
		return;
	}
	strbuf_putc(b, '\\');
	strbuf_add(b, part, len);
}

static void add_parts(struct strbuf *b, const char *s)
{
	size_t root = b->len;

	while (*s) {
		size_t n = strcspn(s, "\\/");

		add_part(b, root, s, n);
		s += n + (s[n] != '\0');
	}
}

/* A Windows path in one spelling: "C:\a\b", "C:", "#4", "\\srv\share\a", "\\?\Volume{...}\a", "\a".
   Others as they are. */
static enum kind spell(const char *path, struct strbuf *b)
{
	const char *drive = NULL, *s;
	bool share = false;
	enum kind kind;

	s = without_namespace(path, &drive, &share);
	kind = share ? P_SHARE : drive ? P_PHYSICAL : kind_of(s);
	switch (kind) {
	case P_PHYSICAL:
		s = drive ? drive : s + 1;
		strbuf_printf(b, "#%.*s", (int)strspn(s, "0123456789"), s);
		break;
	case P_DRIVE:
	case P_VOLUME:
		strbuf_printf(b, "%c:", toupper((unsigned char)*s));
		add_parts(b, s + 2);
		break;
	case P_SHARE:
		strbuf_puts(b, in_namespace(s) ? "\\\\?" : "\\");
		add_parts(b, in_namespace(s) ? s + 4 : s);
		break;
	case P_ROOTED:
		add_parts(b, s);
		break;
	case P_LINUX:
	case P_RELATIVE:
		strbuf_puts(b, s);
		break;
	}
	return kind;
}

static char *spelled(struct arena *mem, const char *path, enum kind *kind)
{
	struct strbuf b = { 0 };
	char *out;

	*kind = spell(path, &b);
	out = b.failed ? NULL : arena_strdup(mem, strbuf_str(&b));
	strbuf_fini(&b);
	return out;
}

static int add_entry(struct ds_map *m, char *from, char *to, struct diag *d)
{
	struct ds_map_entry *grown;

	for (size_t i = 0; i < m->entries; i++)
		if (!strcasecmp(m->entry[i].from, from))
			return diag_err(d, -EINVAL, "--map %s is given twice: %s and %s", from,
					m->entry[i].to, to);
	grown = arena_array(&m->mem, m->entries + 1, sizeof(*grown));
	if (!grown)
		return diag_err(d, -ENOMEM, "out of memory");
	if (m->entries)
		memcpy(grown, m->entry, m->entries * sizeof(*grown));
	grown[m->entries++] = (struct ds_map_entry){ .from = from, .to = to };
	m->entry = grown;
	return 0;
}

int ds_map_add(struct ds_map *m, const char *text, struct diag *d)
{
	const char *eq = strchr(text, '=');
	char *from, *to, *spelling;
	enum kind kind;
	size_t n;

	if (!eq || eq == text || !eq[1])
		return diag_err(d, -EINVAL,
				"--map %s: write WINDOWS=LINUX, such as 'C:=/mnt/data' or '#4=/dev/sdb'",
				text);
	from = arena_strndup(&m->mem, text, (size_t)(eq - text));
	to = arena_strdup(&m->mem, eq + 1);
	spelling = from ? spelled(&m->mem, from, &kind) : NULL;
	if (!spelling || !to)
		return diag_err(d, -ENOMEM, "out of memory");
	if (kind == P_LINUX || kind == P_RELATIVE || !*spelling || !strcmp(spelling, "\\"))
		return diag_err(d, -EINVAL,
				"--map %s: left of '=' stands a drive (C:), a directory on one (C:\\data), a "
				"physical drive "
				"(#4) or a share (\\\\server\\share)",
				text);
	for (n = strlen(to); n > 1 && to[n - 1] == '/'; n--)
		to[n - 1] = '\0';
	return add_entry(m, spelling, to, d);
}

void ds_map_fini(struct ds_map *m)
{
	arena_fini(&m->mem);
	memset(m, 0, sizeof(*m));
}

static const struct ds_map_entry *longest(const struct ds_map *m, const char *path, enum kind kind)
{
	const struct ds_map_entry *best = NULL;

	for (size_t i = 0; m && i < m->entries; i++) {
		const char *from = m->entry[i].from;
		size_t n = strlen(from);
		bool whole = kind == P_PHYSICAL || kind == P_VOLUME;

		if (strncasecmp(path, from, n) != 0 || (path[n] && path[n] != '\\') || (whole && path[n]))
			continue;
		if (!best || n > strlen(best->from))
			best = &m->entry[i];
	}
	return best;
}

static char *to_slashes(char *s)
{
	for (char *c = s; s && *c; c++)
		if (*c == '\\')
			*c = '/';
	return s;
}

static char *joined(struct arena *mem, const struct ds_map_entry *e, const char *path)
{
	const char *rest = path + strlen(e->from);
	char *tail;

	if (!*rest)
		return arena_strdup(mem, e->to);
	tail = to_slashes(arena_strdup(mem, rest + 1));
	return tail ? arena_printf(mem, "%s/%s", strcmp(e->to, "/") ? e->to : "", tail) : NULL;
}

/* "\\?\Volume{...}", with what lies on it or without. */
static bool is_volume(const char *spelling)
{
	return !strncasecmp(spelling, "\\\\?\\Volume{", 11);
}

/* "\\\\?\\Volume{...}", "\\\\.\\Harddisk0Partition1", "\\\\?\\GLOBALROOT\\Device\\...": a device, whose files
 * are others. */
static bool is_own_name(const char *spelling)
{
	return in_namespace(spelling) && (!is_volume(spelling) || !strchr(spelling + 4, '\\'));
}

static char *refuse(struct diag *d, const char *path, const char *spelling, enum kind kind)
{
	if (kind == P_PHYSICAL)
		diag_err(
			d, -EINVAL,
			"%s is physical drive %s of a Windows machine: say which device is meant here, --map "
			"'%s=/dev/...'",
			path, spelling + 1, spelling);
	else if (kind == P_VOLUME)
		diag_err(d, -EINVAL,
			 "%s is a whole volume of a Windows machine: say which device is meant here, --map "
			 "'%s=/dev/...', or name a file (%s\\testfile.dat)",
			 path, spelling, spelling);
	else if (is_own_name(spelling))
		diag_err(d, -EINVAL,
			 "%s is a name of Windows' own for a device: say what is meant here, --map "
			 "'%s=/dev/...'%s",
			 path, spelling, is_volume(spelling) ? ", or name a file on it" : "");
	else
		diag_err(d, -EINVAL, "%s names no file: end it with a file's name, %s\\testfile.dat", path,
			 strcmp(spelling, "\\") ? spelling : "");
	return NULL;
}

/* The part of a spelled path behind which file names begin: "C:", "\\srv\share". */
static const char *file_name(const char *spelling, enum kind kind)
{
	const char *last = strrchr(spelling, '\\');
	unsigned seps = 0;

	for (const char *s = spelling; *s; s++)
		seps += *s == '\\';
	if (!last || !last[1] || (kind == P_SHARE && seps < 4))
		return NULL;
	return last + 1;
}

static void say_here(struct notes *notes, const char *path, const char *name, const char *spelling,
		     enum kind kind)
{
	int n = 2;
	bool itself;

	if (kind == P_SHARE) {
		const char *share = strchr(spelling + 2, '\\');

		n = (int)(share + 1 + strcspn(share + 1, "\\") - spelling);
	} else if (kind == P_ROOTED) {
		n = (int)(1 + strcspn(spelling + 1, "\\"));
	}
	itself = !spelling[n];
	if (notes)
		notes_add(notes,
			  "%s is %s in the current directory here; --map '%.*s=/some/directory%s%s' says "
			  "where else",
			  path, name, n, spelling, itself ? "/" : "", itself ? name : "");
}

static char *relative(struct arena *mem, const char *path, struct diag *d)
{
	char *s = to_slashes(arena_strdup(mem, path));

	while (s && s[0] == '.' && s[1] == '/')
		s += 2 + strspn(s + 2, "/");
	if (!s)
		diag_err(d, -ENOMEM, "out of memory");
	else if (!*s)
		return refuse(d, path, ".", P_RELATIVE);
	return s;
}

/* Through an entry, or by name. */
static char *windows(const struct ds_map *m, struct arena *mem, const char *path, struct notes *notes,
		     struct diag *d)
{
	enum kind kind;
	char *spelling = spelled(mem, path, &kind), *out;
	const struct ds_map_entry *e = spelling ? longest(m, spelling, kind) : NULL;
	const char *name;
	bool directory = kind != P_PHYSICAL && *path && is_sep(path[strlen(path) - 1]);

	if (!spelling) {
		diag_err(d, -ENOMEM, "out of memory");
		return NULL;
	}
	if (kind == P_PHYSICAL && !e)
		return refuse(d, path, spelling, kind);
	if (kind == P_VOLUME && !e)
		return refuse(d, path, spelling, kind);
	name = file_name(spelling, kind);
	if (!e && is_own_name(spelling))
		return refuse(d, path, spelling, kind);
	if (directory || (!e && !name))
		return refuse(d, path, spelling, P_DRIVE);
	out = e ? joined(mem, e, spelling) : arena_strdup(mem, name);
	if (!out)
		diag_err(d, -ENOMEM, "out of memory");
	else if (!e)
		say_here(notes, path, name, spelling, kind);
	return out;
}

char *ds_map_path(const struct ds_map *m, struct arena *mem, const char *path, struct notes *notes,
		  struct diag *d)
{
	enum kind kind = kind_of(path);
	char *same;

	if (!*path) {
		diag_kind(d, DIAG_RUN, -ENOENT, "<Path></Path>: names no file");
		return NULL;
	}
	if (kind == P_RELATIVE && !is_sep(path[strlen(path) - 1]))
		return relative(mem, path, d);
	if (kind == P_RELATIVE)
		return refuse(d, path, path, kind);
	if (kind != P_LINUX)
		return windows(m, mem, path, notes, d);
	same = arena_strdup(mem, path);
	if (!same)
		diag_err(d, -ENOMEM, "out of memory");
	return same;
}

/* A path that was looked at: as given, in one spelling, and what it became. */
struct seen {
	const char *given, *spelling, *result;
	bool changed;
};

static int by_result(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int c = strcmp(x->result, y->result);

	return c ? c : strcasecmp(x->spelling, y->spelling);
}

struct mapper {
	const struct ds_map *m;
	struct ds_profile *p;
	struct seen *seen;
	size_t n;
	struct notes *notes;
	struct diag *d;
};

/* Maps *path in place; *given, if there is one, keeps what it was. */
static int map_one(struct mapper *x, char **path, char **given)
{
	struct arena *mem = &x->p->mem;
	struct seen *s = &x->seen[x->n];
	char *out = ds_map_path(x->m, mem, *path, x->notes, x->d);
	enum kind kind;

	if (!out)
		return x->d->err ? x->d->err : -ENOMEM;
	s->given = *path;
	s->result = out;
	s->changed = strcmp(out, *path) != 0;
	s->spelling = spelled(mem, *path, &kind);
	if (!s->spelling)
		return diag_err(x->d, -ENOMEM, "out of memory");
	while (s->result[0] == '.' && s->result[1] == '/')
		s->result += 2;
	x->n++;
	if (s->changed && given)
		*given = *path;
	*path = out;
	return 0;
}

/* Windows takes names that differ in case for one. */
static void note_case(const struct mapper *x)
{
	for (size_t i = 0; x->notes && i < x->n; i++) {
		const struct seen *a = &x->seen[i], *b = NULL;

		for (size_t k = 0; k < i && a->changed; k++) {
			if (!strcmp(a->result, x->seen[k].result)) {
				b = NULL; /* seen before */
				break;
			}
			if (x->seen[k].changed && !strcasecmp(a->spelling, x->seen[k].spelling))
				b = &x->seen[k];
		}
		if (b)
			notes_add(x->notes, "%s and %s are one file in Windows; here they are two, %s and %s",
				  b->given, a->given, b->result, a->result);
	}
}

static int two_in_one(struct mapper *x)
{
	qsort(x->seen, x->n, sizeof(*x->seen), by_result);
	for (size_t i = 1; i < x->n; i++) {
		const struct seen *a = &x->seen[i - 1], *b = &x->seen[i];

		if (strcmp(a->result, b->result) != 0 || !strcasecmp(a->spelling, b->spelling))
			continue;
		if (a->changed || b->changed)
			return diag_err(x->d, -EINVAL,
					"%s and %s would both become %s here: say where they are with --map, "
					"such as --map "
					"'C:=/mnt/c'",
					a->given, b->given, b->result);
	}
	return 0;
}

static int map_target(struct mapper *x, struct ds_target *t)
{
	int ret = t->path ? map_one(x, &t->path, &t->given_path) : 0;

	if (!ret && t->pool_file)
		ret = map_one(x, &t->pool_file, NULL);
	return ret;
}

int ds_map_profile(const struct ds_map *m, struct ds_profile *p, struct notes *notes, struct diag *d)
{
	struct mapper x = { .m = m, .p = p, .notes = notes, .d = d };
	size_t paths = 0;
	int ret = 0;

	for (size_t i = 0; i < p->spans; i++)
		paths += 2 * p->span[i].targets;
	x.seen = calloc(paths + 1, sizeof(*x.seen));
	if (!x.seen)
		return diag_err(d, -ENOMEM, "out of memory");
	for (size_t i = 0; i < p->spans && !ret; i++)
		for (size_t k = 0; k < p->span[i].targets && !ret; k++)
			ret = map_target(&x, &p->span[i].target[k]);
	if (!ret)
		note_case(&x);
	if (!ret)
		ret = two_in_one(&x);
	free(x.seen);
	return ret;
}
