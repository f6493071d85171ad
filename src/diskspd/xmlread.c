#include "profile_xml.h"

#include <errno.h>
#include <string.h>
#include "strbuf.h"
#include "xml.h"

#define TEXT_BYTES_MAX (64u << 10) /* of one element */

struct state {
	struct xml_reader r;
	XML_Parser parser;
	const char *name;
	enum ds_dialect dialect;
	const struct xml_row *open[XMLREAD_DEPTH_MAX];
	unsigned depth;
	unsigned long
		seen[XMLSCHEMA_ROWS_MAX]; /* line of each row's element in the current parent; 0: not seen */
	struct strbuf text;               /* text of the current element */
	bool failed;
};

static int fail_here(struct state *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int fail_at(struct state *s, unsigned long line, int err, const char *text)
{
	diag_err(s->r.diag, err, "%s:%lu: %s", s->name, line, text);
	s->failed = true;
	XML_StopParser(s->parser, XML_FALSE);
	return err;
}

static int fail_here(struct state *s, const char *fmt, ...)
{
	struct strbuf b = { 0 };
	va_list ap;
	int ret;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	ret = fail_at(s, xml_line(s->parser), -EINVAL, strbuf_str(&b));
	strbuf_fini(&b);
	return ret;
}

static const struct xml_row *top(const struct state *s)
{
	return s->depth ? s->open[s->depth - 1] : NULL;
}

static enum node node_of(const struct xml_row *row)
{
	return row ? row->node : NODE_TOP;
}

/* Adds "<A>, <B> or <C>", the elements that a node may have. */
static void list_children(const struct state *s, enum node node, struct strbuf *b)
{
	const char *before = "";

	for (unsigned i = 0; i < xmlschema_rows; i++) {
		const struct xml_row *row = &xmlschema[i];

		if (row->parent != node || (row->since_23 && s->dialect != DS_DIALECT_23))
			continue;
		if (*before)
			strbuf_printf(b, "%s<%s>", b->len ? ", " : "", before);
		before = row->name;
	}
	strbuf_printf(b, "%s<%s>", b->len ? " or " : "", before);
}

static void refuse_unknown(struct state *s, const char *name)
{
	const struct xml_row *in = top(s);
	struct strbuf b = { 0 };

	if (!in && !strcmp(name, "Results")) {
		fail_here(
			s,
			"<Results>: this is a result of DISKSPD, not a profile; copy its <Profile> to a file "
			"of its own");
		return;
	}
	if (in && in->node == NODE_LEAF) {
		fail_here(s, "<%s> in <%s>, which may only have text", name, in->name);
		return;
	}
	list_children(s, node_of(in), &b);
	if (in)
		fail_here(s, "<%.60s>: not an element of <%s>, which may have %s", name, in->name,
			  strbuf_str(&b));
	else
		fail_here(s, "<%.60s>: a profile must begin with %s", name, strbuf_str(&b));
	strbuf_fini(&b);
}

static const struct xml_row *find_xml_row(const struct state *s, const char *name)
{
	enum node in = node_of(top(s));

	for (unsigned i = 0; i < xmlschema_rows; i++)
		if (xmlschema[i].parent == in && !strcmp(xmlschema[i].name, name))
			return &xmlschema[i];
	return NULL;
}

/* Returns true for attributes that editors add to the outermost element; they have no meaning here. */
static bool attr_is_foreign(const char *name)
{
	return !strncmp(name, "xmlns:", 6) || !strncmp(name, "xsi:", 4) || !strncmp(name, "xml:", 4);
}

static int read_attr(struct state *s, const struct xml_row *row, const char *name, const char *value)
{
	unsigned i = 0;

	while (i < ATTRS_MAX && row->attr[i] && strcmp(row->attr[i], name))
		i++;
	if (i == ATTRS_MAX || !row->attr[i])
		return attr_is_foreign(name) ? 0
					     : fail_here(s, "<%s %.60s=...>: <%s> has no such attribute",
							 row->name, name, row->name);
	if (strlen(value) >= sizeof(s->r.attr[i]))
		return fail_here(s, "<%s %s=\"%.40s...\">: too long", row->name, name, value);
	strcpy(s->r.attr[i], value);
	s->r.has_attr[i] = true;
	return 0;
}

static int read_attrs(struct state *s, const struct xml_row *row, const char **attrs)
{
	memset(s->r.has_attr, 0, sizeof(s->r.has_attr));
	for (; *attrs; attrs += 2)
		if (read_attr(s, row, attrs[0], attrs[1]))
			return -EINVAL;
	for (unsigned i = 0; i < ATTRS_MAX && row->attr[i]; i++)
		if (!s->r.has_attr[i] && !row->attr_optional)
			return fail_here(s, "<%s>: needs the attribute %s", row->name, row->attr[i]);
	return 0;
}

static void enter(struct state *s, const struct xml_row *row)
{
	for (unsigned i = 0; i < xmlschema_rows; i++)
		if (row->node != NODE_LEAF && xmlschema[i].parent == row->node)
			s->seen[i] = 0;
	s->open[s->depth++] = row;
	strbuf_clear(&s->text);
	if (row->begin)
		row->begin(&s->r);
	if (row->given)
		*(bool *)((char *)&s->r + row->given) = true;
}

static void XMLCALL on_start(void *ctx, const char *name, const char **attrs)
{
	struct state *s = ctx;
	const struct xml_row *row = find_xml_row(s, name);
	unsigned long *seen;

	if (s->failed)
		return;
	if (!row) {
		refuse_unknown(s, name);
		return;
	}
	seen = &s->seen[row - xmlschema];
	if (row->since_23 && s->dialect != DS_DIALECT_23)
		fail_here(s, "<%s>: only DISKSPD 2.3 has it", name);
	else if (*seen && !row->repeatable)
		fail_here(s, "<%s>: the second one in this <%s>; the first is on line %lu", name,
			  top(s)->name, *seen);
	else if (s->depth == XMLREAD_DEPTH_MAX)
		fail_here(s, "<%s>: elements may be at most %u deep", name, XMLREAD_DEPTH_MAX);
	else if (!read_attrs(s, row, attrs)) {
		*seen = xml_line(s->parser);
		enter(s, row);
	}
}

static bool is_xml_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the text without the blanks of indentation around it. */
static char *trimmed(struct strbuf *b)
{
	char *text = b->text;
	size_t len = b->len;

	while (len && is_xml_blank(text[len - 1]))
		text[--len] = '\0';
	while (len && is_xml_blank(*text))
		text++;
	return text;
}

static void set_value(struct state *s, const struct xml_row *row)
{
	static char none[] = "";
	char *text = s->text.text ? trimmed(&s->text) : none;
	struct strbuf why = { 0 };
	int ret = row->set(&s->r, row, text, &why);

	if (ret == -ENOMEM)
		fail_at(s, xml_line(s->parser), ret, "out of memory");
	else if (ret)
		fail_here(s, "<%s>%.60s%s</%s>: %s%s", row->name, text, strlen(text) > 60 ? "..." : "",
			  row->name, strbuf_str(&why), row->hint ? row->hint : "");
	strbuf_fini(&why);
}

static int check_complete(struct state *s, const struct xml_row *row)
{
	for (unsigned i = 0; i < xmlschema_rows; i++) {
		struct strbuf b = { 0 };

		if (xmlschema[i].parent != row->node || !xmlschema[i].required || s->seen[i])
			continue;
		strbuf_printf(&b, "<%s>: needs a <%s>", row->name, xmlschema[i].name);
		fail_at(s, s->seen[row - xmlschema], -EINVAL, strbuf_str(&b));
		strbuf_fini(&b);
		return -EINVAL;
	}
	return 0;
}

static void leave_node(struct state *s, const struct xml_row *row)
{
	struct strbuf why = { 0 };
	int ret;

	if (check_complete(s, row))
		return;
	s->r.line = (unsigned)s->seen[row - xmlschema];
	ret = row->end ? row->end(&s->r, row, &why) : 0;
	if (ret)
		fail_at(s, s->seen[row - xmlschema], ret,
			ret == -ENOMEM ? "out of memory" : strbuf_str(&why));
	strbuf_fini(&why);
}

static void XMLCALL on_end(void *ctx, const char *name)
{
	struct state *s = ctx;
	const struct xml_row *row = top(s);

	(void)name;
	if (s->failed)
		return;
	if (row->node == NODE_LEAF)
		set_value(s, row);
	else
		leave_node(s, row);
	strbuf_clear(&s->text);
	s->depth--;
}

static void XMLCALL on_text(void *ctx, const char *text, int len)
{
	struct state *s = ctx;
	const struct xml_row *row = top(s);

	if (s->failed || !row)
		return;
	if (row->node == NODE_LEAF) {
		if (s->text.len + (size_t)len > TEXT_BYTES_MAX)
			fail_here(s, "<%s>: its text may have at most %u bytes", row->name, TEXT_BYTES_MAX);
		else
			strbuf_add(&s->text, text, (size_t)len);
		return;
	}
	for (int i = 0; i < len; i++)
		if (!is_xml_blank(text[i])) {
			fail_here(s, "'%.*s' in <%s>, which may only have elements", len > 60 ? 60 : len,
				  text, row->name);
			return;
		}
}

static void XMLCALL on_doctype(void *ctx, const char *name, const char *system_id, const char *public_id,
			       int internal)
{
	(void)system_id;
	(void)public_id;
	(void)internal;
	fail_here(ctx,
		  "<!DOCTYPE %.60s>: a profile must not declare document types, entities or external files",
		  name);
}

static int syntax_error(struct state *s)
{
	enum XML_Error code = XML_GetErrorCode(s->parser);

	if (code == XML_ERROR_NO_MEMORY)
		return diag_err(s->r.diag, -ENOMEM, "%s: out of memory", s->name);
	if (code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING)
		return fail_here(s, "%s; save it as UTF-8 or UTF-16", XML_ErrorString(code));
	return fail_here(s, "not XML: %s", XML_ErrorString(code));
}

static int parse_profile(struct state *s, const char *text, size_t len)
{
	if (XML_Parse(s->parser, text, (int)len, 1) != XML_STATUS_OK || s->failed)
		return s->failed ? s->r.diag->err : syntax_error(s);
	if (s->text.failed)
		return diag_err(s->r.diag, -ENOMEM, "%s: out of memory", s->name);
	return 0;
}

XML_Parser xml_parser_new(void *ctx, XML_StartElementHandler start, XML_EndElementHandler end,
			  XML_CharacterDataHandler text, XML_StartDoctypeDeclHandler doctype)
{
	XML_Parser parser = XML_ParserCreate(NULL);

	if (!parser)
		return NULL;
	XML_SetUserData(parser, ctx);
	XML_SetElementHandler(parser, start, end);
	XML_SetCharacterDataHandler(parser, text);
	XML_SetStartDoctypeDeclHandler(parser, doctype);
	XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER);
	return parser;
}

int ds_xmlread(struct ds_profile *p, const char *name, const char *text, size_t len, enum ds_dialect dialect,
	       struct diag *d)
{
	struct state s = { .r = { .diag = d }, .name = name, .dialect = dialect };
	int ret;

	memset(p, 0, sizeof(*p));
	if (len > XMLREAD_BYTES_MAX)
		return diag_err(d, -EFBIG, "%s: %zu bytes; a profile may have at most %u", name, len,
				XMLREAD_BYTES_MAX);
	s.parser = xml_parser_new(&s, on_start, on_end, on_text, on_doctype);
	if (!s.parser)
		return diag_err(d, -ENOMEM, "%s: out of memory", name);
	ret = parse_profile(&s, text, len);
	*p = s.r.p;
	xmlschema_fini(&s.r);
	strbuf_fini(&s.text);
	XML_ParserFree(s.parser);
	return ret;
}
