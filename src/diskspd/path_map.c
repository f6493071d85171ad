#include "path_map.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

static enum kind path_kind(const char *s)
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

/* Returns the path inside "\\?\" or "\\.\" if it has a name without them. *drive: the digits of a
   PhysicalDrive. */
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

/* Adds a component. "." adds nothing, ".." removes the last component, but not beyond `root`. */
static void add_path_part(struct strbuf *b, size_t root, const char *part, size_t len)
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

static void add_path_parts(struct strbuf *b, const char *s)
{
	size_t root = b->len;

	while (*s) {
		size_t n = strcspn(s, "\\/");

		add_path_part(b, root, s, n);
		s += n + (s[n] != '\0');
	}
}

/* Normalizes a Windows path: "C:\a\b", "C:", "#4", "\\srv\share\a", "\\?\Volume{...}\a", "\a". Leaves
   other paths as they are. */
static enum kind put_normalized(const char *path, struct strbuf *b)
{
	const char *drive = NULL, *s;
	bool share = false;
	enum kind kind;

	s = without_namespace(path, &drive, &share);
	kind = share ? P_SHARE : drive ? P_PHYSICAL : path_kind(s);
	switch (kind) {
	case P_PHYSICAL:
		s = drive ? drive : s + 1;
		strbuf_printf(b, "#%.*s", (int)strspn(s, "0123456789"), s);
		break;
	case P_DRIVE:
	case P_VOLUME:
		strbuf_printf(b, "%c:", toupper((unsigned char)*s));
		add_path_parts(b, s + 2);
		break;
	case P_SHARE:
		strbuf_puts(b, in_namespace(s) ? "\\\\?" : "\\");
		add_path_parts(b, in_namespace(s) ? s + 4 : s);
		break;
	case P_ROOTED:
		add_path_parts(b, s);
		break;
	case P_LINUX:
	case P_RELATIVE:
		strbuf_puts(b, s);
		break;
	}
	return kind;
}

static char *normalize_path(struct arena *mem, const char *path, enum kind *kind)
{
	struct strbuf b = { 0 };

	*kind = put_normalized(path, &b);
	return strbuf_to_arena(&b, mem);
}

static int add_map_entry(struct ds_map *m, char *from, char *to, struct diag *d)
{
	struct ds_map_entry *grown;

	for (size_t i = 0; i < m->nentries; i++)
		if (!strcasecmp(m->entries[i].from, from))
			return diag_err(d, -EINVAL, "--map %s is given twice: %s and %s", from,
					m->entries[i].to, to);
	grown = arena_array(&m->mem, m->nentries + 1, sizeof(*grown));
	if (!grown)
		return diag_err(d, -ENOMEM, "out of memory");
	if (m->nentries)
		memcpy(grown, m->entries, m->nentries * sizeof(*grown));
	grown[m->nentries++] = (struct ds_map_entry){ .from = from, .to = to };
	m->entries = grown;
	return 0;
}

int ds_map_add(struct ds_map *m, const char *text, struct diag *d)
{
	const char *eq = strchr(text, '=');
	char *from, *to, *normalized;
	enum kind kind;
	size_t n;

	if (!eq || eq == text || !eq[1])
		return diag_err(d, -EINVAL,
				"--map %s: write WINDOWS=LINUX, such as 'C:=/mnt/data' or '#4=/dev/sdb'",
				text);
	from = arena_strndup(&m->mem, text, (size_t)(eq - text));
	to = arena_strdup(&m->mem, eq + 1);
	normalized = from ? normalize_path(&m->mem, from, &kind) : NULL;
	if (!normalized || !to)
		return diag_err(d, -ENOMEM, "out of memory");
	if (kind == P_LINUX || kind == P_RELATIVE || !*normalized || !strcmp(normalized, "\\"))
		return diag_err(d, -EINVAL,
				"--map %s: the part before '=' must be a drive (C:), a directory on a drive "
				"(C:\\data), a physical drive (#4) or a share (\\\\server\\share)",
				text);
	for (n = strlen(to); n > 1 && to[n - 1] == '/'; n--)
		to[n - 1] = '\0';
	return add_map_entry(m, normalized, to, d);
}

void ds_map_fini(struct ds_map *m)
{
	arena_fini(&m->mem);
	memset(m, 0, sizeof(*m));
}

static const struct ds_map_entry *find_map_entry(const struct ds_map *m, const char *path, enum kind kind)
{
	const struct ds_map_entry *best = NULL;

	for (size_t i = 0; m && i < m->nentries; i++) {
		const char *from = m->entries[i].from;
		size_t n = strlen(from);
		bool whole = kind == P_PHYSICAL || kind == P_VOLUME;

		if (strncasecmp(path, from, n) != 0 || (path[n] && path[n] != '\\') || (whole && path[n]))
			continue;
		if (!best || n > strlen(best->from))
			best = &m->entries[i];
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

static char *join_path(struct arena *mem, const struct ds_map_entry *e, const char *path)
{
	const char *rest = path + strlen(e->from);
	char *tail;

	if (!*rest)
		return arena_strdup(mem, e->to);
	tail = to_slashes(arena_strdup(mem, rest + 1));
	return tail ? arena_printf(mem, "%s/%s", strcmp(e->to, "/") ? e->to : "", tail) : NULL;
}

/* Returns true for "\\?\Volume{...}", alone or with a path on it. */
static bool is_volume(const char *normalized)
{
	return !strncasecmp(normalized, "\\\\?\\Volume{", 11);
}

/* Returns true for a device under a name of Windows: "\\?\Volume{...}", "\\.\Harddisk0Partition1",
   "\\?\GLOBALROOT\Device\...". */
static bool is_device_name(const char *normalized)
{
	return in_namespace(normalized) && (!is_volume(normalized) || !strchr(normalized + 4, '\\'));
}

static char *refuse_path(struct diag *d, const char *path, const char *normalized, enum kind kind)
{
	if (kind == P_PHYSICAL)
		diag_err(d, -EINVAL,
			 "%s is physical drive %s of a Windows machine: name the device here by --map "
			 "'%s=/dev/...'",
			 path, normalized + 1, normalized);
	else if (kind == P_VOLUME)
		diag_err(d, -EINVAL,
			 "%s is a whole volume of a Windows machine: name the device here by --map "
			 "'%s=/dev/...', or name a file (%s\\testfile.dat)",
			 path, normalized, normalized);
	else if (is_device_name(normalized))
		diag_err(d, -EINVAL,
			 "%s is a device of a Windows machine: name the device here by --map '%s=/dev/...'%s",
			 path, normalized, is_volume(normalized) ? ", or name a file on it" : "");
	else
		diag_err(d, -EINVAL, "%s does not name a file: add a file's name, such as %s\\testfile.dat",
			 path, strcmp(normalized, "\\") ? normalized : "");
	return NULL;
}

/* Returns the file's name at the end of a normalized path; NULL: the path names a drive or a share alone. */
static const char *file_name(const char *normalized, enum kind kind)
{
	const char *last = strrchr(normalized, '\\');
	unsigned seps = 0;

	for (const char *s = normalized; *s; s++)
		seps += *s == '\\';
	if (!last || !last[1] || (kind == P_SHARE && seps < 4))
		return NULL;
	return last + 1;
}

static void note_current_directory(struct notes *notes, const char *path, const char *name,
				   const char *normalized, enum kind kind)
{
	int n = 2;
	bool whole;

	if (kind == P_SHARE) {
		const char *share = strchr(normalized + 2, '\\');

		n = (int)(share + 1 + strcspn(share + 1, "\\") - normalized);
	} else if (kind == P_ROOTED) {
		n = (int)(1 + strcspn(normalized + 1, "\\"));
	}
	whole = !normalized[n];
	if (notes)
		notes_add(notes,
			  "%s is %s in the current directory here; --map '%.*s=/some/directory%s%s' puts it "
			  "elsewhere",
			  path, name, n, normalized, whole ? "/" : "", whole ? name : "");
}

static char *map_relative_path(struct arena *mem, const char *path, struct diag *d)
{
	char *s = to_slashes(arena_strdup(mem, path));

	while (s && s[0] == '.' && s[1] == '/')
		s += 2 + strspn(s + 2, "/");
	if (!s)
		diag_err(d, -ENOMEM, "out of memory");
	else if (!*s)
		return refuse_path(d, path, ".", P_RELATIVE);
	return s;
}

/* Maps a Windows path by the longest matching entry, or by the file's name without one. */
static char *map_windows_path(const struct ds_map *m, struct arena *mem, const char *path,
			      struct notes *notes, struct diag *d)
{
	enum kind kind;
	char *normalized = normalize_path(mem, path, &kind), *out;
	const struct ds_map_entry *e = normalized ? find_map_entry(m, normalized, kind) : NULL;
	const char *name;
	bool directory = kind != P_PHYSICAL && *path && is_sep(path[strlen(path) - 1]);

	if (!normalized) {
		diag_err(d, -ENOMEM, "out of memory");
		return NULL;
	}
	if (!e && (kind == P_PHYSICAL || kind == P_VOLUME || is_device_name(normalized)))
		return refuse_path(d, path, normalized, kind);
	name = file_name(normalized, kind);
	if (directory || (!e && !name))
		return refuse_path(d, path, normalized, P_DRIVE);
	out = e ? join_path(mem, e, normalized) : arena_strdup(mem, name);
	if (!out)
		diag_err(d, -ENOMEM, "out of memory");
	else if (!e)
		note_current_directory(notes, path, name, normalized, kind);
	return out;
}

char *ds_map_path(const struct ds_map *m, struct arena *mem, const char *path, struct notes *notes,
		  struct diag *d)
{
	enum kind kind = path_kind(path);
	char *same;

	if (!*path) {
		diag_kind(d, DIAG_RUN, -ENOENT, "<Path></Path>: does not name a file");
		return NULL;
	}
	if (kind == P_RELATIVE && !is_sep(path[strlen(path) - 1]))
		return map_relative_path(mem, path, d);
	if (kind == P_RELATIVE)
		return refuse_path(d, path, path, kind);
	if (kind != P_LINUX)
		return map_windows_path(m, mem, path, notes, d);
	same = arena_strdup(mem, path);
	if (!same)
		diag_err(d, -ENOMEM, "out of memory");
	return same;
}

/* A mapped path: as given, normalized, and the result. */
struct mapped_path {
	const char *given, *normalized, *result;
	bool changed;
};

static int by_result(const void *a, const void *b)
{
	const struct mapped_path *x = a, *y = b;
	int c = strcmp(x->result, y->result);

	return c ? c : strcasecmp(x->normalized, y->normalized);
}

struct mapper {
	const struct ds_map *m;
	struct ds_profile *p;
	struct mapped_path *seen;
	size_t n;
	struct notes *notes;
	struct diag *d;
};

/* Maps *path in place. *given, unless given is NULL, receives the path before a change. */
static int map_path(struct mapper *x, char **path, char **given)
{
	struct arena *mem = &x->p->mem;
	struct mapped_path *s = &x->seen[x->n];
	char *out = ds_map_path(x->m, mem, *path, x->notes, x->d);
	enum kind kind;

	if (!out)
		return x->d->err ? x->d->err : -ENOMEM;
	s->given = *path;
	s->result = out;
	s->changed = strcmp(out, *path) != 0;
	s->normalized = normalize_path(mem, *path, &kind);
	if (!s->normalized)
		return diag_err(x->d, -ENOMEM, "out of memory");
	while (s->result[0] == '.' && s->result[1] == '/')
		s->result += 2;
	x->n++;
	if (s->changed && given)
		*given = *path;
	*path = out;
	return 0;
}

/* Adds a note about names that differ only in case: Windows takes them for one file. */
static void note_case(const struct mapper *x)
{
	for (size_t i = 0; x->notes && i < x->n; i++) {
		const struct mapped_path *a = &x->seen[i], *b = NULL;

		for (size_t k = 0; k < i && a->changed; k++) {
			if (!strcmp(a->result, x->seen[k].result)) {
				b = NULL; /* the name has been compared already */
				break;
			}
			if (x->seen[k].changed && !strcasecmp(a->normalized, x->seen[k].normalized))
				b = &x->seen[k];
		}
		if (b)
			notes_add(x->notes,
				  "%s and %s are one file on Windows; here they are two files, %s and %s",
				  b->given, a->given, b->result, a->result);
	}
}

static int check_collisions(struct mapper *x)
{
	qsort(x->seen, x->n, sizeof(*x->seen), by_result);
	for (size_t i = 1; i < x->n; i++) {
		const struct mapped_path *a = &x->seen[i - 1], *b = &x->seen[i];

		if (strcmp(a->result, b->result) != 0 || !strcasecmp(a->normalized, b->normalized))
			continue;
		if (a->changed || b->changed)
			return diag_err(x->d, -EINVAL,
					"%s and %s would both become %s here: name their directories by "
					"--map, such as --map 'C:=/mnt/c'",
					a->given, b->given, b->result);
	}
	return 0;
}

static int map_target(struct mapper *x, struct ds_target *t)
{
	int ret = t->path ? map_path(x, &t->path, &t->given_path) : 0;

	if (!ret && t->pool_file)
		ret = map_path(x, &t->pool_file, NULL);
	return ret;
}

int ds_map_profile(const struct ds_map *m, struct ds_profile *p, struct notes *notes, struct diag *d)
{
	struct mapper x = { .m = m, .p = p, .notes = notes, .d = d };
	size_t paths = 0;
	int ret = 0;

	for (size_t i = 0; i < p->nspans; i++)
		paths += 2 * p->spans[i].ntargets;
	x.seen = calloc(paths + 1, sizeof(*x.seen));
	if (!x.seen)
		return diag_err(d, -ENOMEM, "out of memory");
	for (size_t i = 0; i < p->nspans && !ret; i++)
		for (size_t k = 0; k < p->spans[i].ntargets && !ret; k++)
			ret = map_target(&x, &p->spans[i].targets[k]);
	if (!ret)
		note_case(&x);
	if (!ret)
		ret = check_collisions(&x);
	free(x.seen);
	return ret;
}
