#include "sweep_matrix.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "scale.h"
#include "strbuf.h"
#include "units.h"
#include "vec.h"

/* A value of a range: a whole number and its suffix. */
struct number {
	uint64_t v;
	const char *suffix;
};

struct parser {
	struct sweep_matrix *m;
	struct sweep_dim *dim;
	const char *text; /* of the whole argument, for messages */
	struct diag *d;
};

static int bad_range(const struct parser *p, const char *why)
{
	return diag_err(p->d, -EINVAL, "--sweep %s: %s", p->text, why);
}

static int push(struct parser *p, const char *value)
{
	for (size_t i = 0; i < p->dim->value.n; i++)
		if (!strcmp(p->dim->value.v[i], value))
			return diag_err(p->d, -EINVAL, "--sweep %s: the value %s occurs twice; give it once",
					p->text, value);
	if (p->dim->value.n >= SWEEP_POINTS_MAX)
		return bad_range(p, "there are more than 10,000 values; give fewer");
	return VEC_PUSH(&p->dim->value, value) ? 0 : diag_no_memory(p->d);
}

static bool parse_number(const char *text, struct number *n)
{
	char *end;

	errno = 0;
	n->v = strtoull(text, &end, 10);
	n->suffix = end;
	if (end == text || errno || !isdigit((unsigned char)*text))
		return false;
	while (isalpha((unsigned char)*end))
		end++;
	return !*end || !strcmp(n->suffix, "%");
}

/* Converts the numbers of a range to one unit: their common suffix, or bytes. Returns false if they have
   none. */
static bool common_unit(const char *const *text, struct number *n, size_t count, bool *bytes)
{
	*bytes = false;
	for (size_t i = 0; i < count; i++) {
		if (!parse_number(text[i], &n[i]))
			return false;
		*bytes |= strcasecmp(n[i].suffix, n[0].suffix) != 0;
	}
	for (size_t i = 0; i < count && *bytes; i++)
		if (units_size(text[i], 1024, &n[i].v, NULL))
			return false;
	return true;
}

/* How a range continues: v * mul / div + add. */
struct step {
	uint64_t mul, div, add;
};

static struct step ratio(uint64_t from, uint64_t to)
{
	uint64_t divisor = common_divisor(from, to);

	return (struct step){ to / divisor, from / divisor, 0 };
}

/* Finds the step from the last numbers before the range. Returns false if they have none. */
static bool find_step(const struct number *n, size_t count, struct step *s)
{
	uint64_t c = n[count - 1].v, b = count > 1 ? n[count - 2].v : 0, a = count > 2 ? n[count - 3].v : 0;

	if (count == 1) {
		bool percent = !strcmp(n[0].suffix, "%");

		*s = percent ? (struct step){ 1, 1, c } : (struct step){ 2, 1, 0 };
		return c > 0;
	}
	if (c <= b)
		return false;
	if (a && a < b && b - a != c - b) {
		*s = ratio(b, c);
		if (s->mul == ratio(a, b).mul && s->div == ratio(a, b).div)
			return true;
	}
	*s = (struct step){ 1, 1, c - b };
	return true;
}

static uint64_t next(uint64_t v, const struct step *s)
{
	uint64_t n;

	if (__builtin_mul_overflow(v, s->mul, &n) || __builtin_add_overflow(n / s->div, s->add, &n))
		return UINT64_MAX;
	return n;
}

static int push_number(struct parser *p, uint64_t v, const char *suffix, bool bytes)
{
	struct strbuf b = { 0 };
	char *copy;

	if (bytes)
		strbuf_puts(&b, units_suffixed(v).text);
	else
		strbuf_printf(&b, "%" PRIu64 "%s", v, suffix);
	copy = strbuf_to_arena(&b, &p->m->mem);
	return copy ? push(p, copy) : diag_no_memory(p->d);
}

/* Adds the values of FROM..TO. The last values before it determine the step. */
static int add_range(struct parser *p, const char *from, const char *to)
{
	const size_t before = p->dim->value.n < 2 ? p->dim->value.n : 2;
	const char *text[4];
	struct number n[4];
	struct step s;
	bool bytes;
	int err;

	for (size_t i = 0; i < before; i++)
		text[i] = p->dim->value.v[p->dim->value.n - before + i];
	text[before] = from;
	text[before + 1] = to;
	if (!common_unit(text, n, before + 2, &bytes))
		return bad_range(p, "a range needs whole numbers or sizes: 1..64, 4k..1m, 10%..100%");
	if (n[before + 1].v <= n[before].v)
		return bad_range(p, "the end of a range must be greater than its beginning");
	if (!find_step(n, before + 1, &s))
		return bad_range(
			p, "the values before '..' must grow and be greater than 0; write 1..64, 10,20..100 "
			   "or 1,2,4..64");
	err = push(p, from);
	for (uint64_t v = next(n[before].v, &s); !err && v < n[before + 1].v; v = next(v, &s))
		err = push_number(p, v, n[0].suffix, bytes);
	return err ? err : push(p, to);
}

static int add_value(struct parser *p, char *value)
{
	char *dots = strstr(value, "..");

	value += strspn(value, " ");
	for (size_t n = strlen(value); n && value[n - 1] == ' ';)
		value[--n] = '\0';
	if (!*value)
		return bad_range(p, "a value is missing; write values with a comma between two of them");
	if (!dots || dots == value || !dots[2])
		return push(p, value);
	*dots = '\0';
	return add_range(p, value, dots + 2);
}

static int add_values(struct parser *p, char *values)
{
	const char separator = strchr(values, '|') ? '|' : ',';
	int err = 0;

	for (char *end; values && !err; values = end) {
		end = strchr(values, separator);
		if (end)
			*end++ = '\0';
		err = add_value(p, values);
	}
	return err;
}

static bool all_percent(const struct sweep_dim *dim)
{
	for (size_t i = 0; i < dim->value.n; i++)
		if (!strchr(dim->value.v[i], '%'))
			return false;
	return true;
}

int sweep_matrix_add(struct sweep_matrix *m, const char *text, struct diag *d)
{
	struct parser p = { .m = m, .text = text, .d = d };
	char *name = arena_strdup(&m->mem, text), *eq = name ? strchr(name + 1, '=') : NULL;
	int err;

	if (!name)
		return diag_no_memory(d);
	if (!*name || !eq || !eq[1])
		return diag_err(d, -EINVAL,
				"--sweep %s: give an option and its values: --sweep iodepth=1,2,4..256",
				text);
	*eq = '\0';
	for (size_t i = 0; i < m->ndims; i++)
		if (!strcmp(m->dims[i].name, name))
			return diag_err(
				d, -EINVAL,
				"--sweep %s: the option %s is swept twice; give all its values at once", text,
				name);
	if (m->ndims == SWEEP_DIMS_MAX)
		return diag_err(d, -EINVAL, "--sweep %s: at most %d options can be swept; leave some out",
				text, SWEEP_DIMS_MAX);
	p.dim = &m->dims[m->ndims++];
	p.dim->name = name;
	err = add_values(&p, eq + 1);
	p.dim->percent = all_percent(p.dim);
	return err;
}

/* Parses all values of an option into n, in one unit. */
static bool parse_all(const struct sweep_dim *dim, struct number *n, bool *bytes)
{
	return dim->value.n && common_unit(dim->value.v, n, dim->value.n, bytes);
}

bool sweep_matrix_has_numbers(const struct sweep_matrix *m, size_t dim)
{
	struct number *n = calloc(m->dims[dim].value.n + 1, sizeof(*n));
	bool bytes, are = n && parse_all(&m->dims[dim], n, &bytes);

	free(n);
	return are;
}

/* Returns the distance of values between those given: 1 without a unit, otherwise their common divisor. */
static uint64_t resolution(const struct number *n, size_t count, bool bytes)
{
	uint64_t divisor = 0;

	for (size_t i = 0; i < count; i++)
		divisor = common_divisor(n[i].v, divisor);
	return bytes || (*n[0].suffix && strcmp(n[0].suffix, "%") != 0) ? divisor : 1;
}

/* Adds a value, and those up to the next one. */
static int refine_step(struct parser *p, const char *value, const struct number *n, uint64_t step, bool bytes)
{
	int err = push(p, value);

	for (uint64_t v = n[0].v; !err;) {
		uint64_t apart = v / 100 / step * step;

		v += apart > step ? apart : step;
		if (v >= n[1].v)
			return 0;
		err = push_number(p, v, n[0].suffix, bytes);
	}
	return err;
}

static int refine(struct parser *p, const struct sweep_dim *given, struct number *n, struct diag *d)
{
	size_t count = given->value.n;
	uint64_t step;
	bool bytes;
	int err = 0;

	if (!parse_all(given, n, &bytes))
		return diag_err(d, -EINVAL,
				"--until: the values of %s are not all whole numbers, so none lie between "
				"them; search an option with numbers, such as iodepth=1..256",
				given->name);
	for (size_t i = 1; i < count; i++)
		if (n[i].v <= n[i - 1].v)
			return diag_err(d, -EINVAL,
					"--until: --sweep %s: %s follows %s; give values that grow",
					given->name, given->value.v[i], given->value.v[i - 1]);
	if (count < 2)
		return diag_err(d, -EINVAL,
				"--until: --sweep %s=%s: a search needs at least two values, such as 1..256",
				given->name, given->value.v[0]);
	step = resolution(n, count, bytes);
	for (size_t i = 0; i + 1 < count && !err; i++)
		err = refine_step(p, given->value.v[i], &n[i], step, bytes);
	return err ? err : push(p, given->value.v[count - 1]);
}

int sweep_matrix_refine(struct sweep_matrix *m, size_t dim, struct diag *d)
{
	struct sweep_dim given = m->dims[dim];
	struct parser p = { .m = m, .dim = &m->dims[dim], .text = given.name, .d = d };
	struct number *n = calloc(given.value.n + 1, sizeof(*n));
	int err;

	if (!n)
		return diag_no_memory(d);
	p.dim->value.v = NULL;
	p.dim->value.n = p.dim->value.cap = 0;
	err = refine(&p, &given, n, d);
	free(given.value.v);
	free(n);
	return err;
}

size_t sweep_matrix_points(const struct sweep_matrix *m)
{
	size_t n = 1;

	for (size_t i = 0; i < m->ndims && n <= SWEEP_POINTS_MAX; i++)
		n *= m->dims[i].value.n;
	return n <= SWEEP_POINTS_MAX ? n : SWEEP_POINTS_MAX + 1;
}

void sweep_matrix_point(const struct sweep_matrix *m, size_t i, const char **value)
{
	for (size_t k = m->ndims; k-- > 0; i /= m->dims[k].value.n)
		value[k] = m->dims[k].value.v[i % m->dims[k].value.n];
}

size_t sweep_matrix_stride(const struct sweep_matrix *m, size_t dim)
{
	size_t stride = 1;

	for (size_t k = dim + 1; k < m->ndims; k++)
		stride *= m->dims[k].value.n;
	return stride;
}

void sweep_matrix_fini(struct sweep_matrix *m)
{
	for (size_t i = 0; i < m->ndims; i++)
		free(m->dims[i].value.v);
	arena_fini(&m->mem);
	*m = (struct sweep_matrix){ 0 };
}
