/* type_rate_steps.c: rate_steps=, rates that change at given times. */
#include <errno.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "strbuf.h"
#include "types.h"

#define HINT         "write START:RATE,START:RATE, such as 0s:1000,60s:5000"
#define RATE_MAX     ((uint64_t)1 << 50) /* bytes per second */
#define START_MAX_NS (100 * 365 * 86400ull * OPT_S)
#define WORD_MAX     64

/* The option while it is read. */
struct steps_reader {
	struct pace_steps *to;
	unsigned kb_base;
	unsigned dirs;       /* rates of the current step */
	bool ios, bytes;     /* some rate is in I/Os, or in bytes */
	char word[WORD_MAX]; /* between two commas */
};

static int read_start(struct steps_reader *r, const char *text, struct diag *d)
{
	struct pace_steps *s = r->to;
	const char *hint = HINT;
	uint64_t ns;

	if (units_time(text, OPT_S, &ns, &hint))
		return diag_err(d, -EINVAL, "%s: not a time; %s", text, hint);
	if (ns > START_MAX_NS)
		return diag_err(d, -ERANGE, "%s: a step starts within 100 years", text);
	if (!s->n && ns)
		return diag_err(d, -EINVAL, "the first step must start at 0s; 0s:0 begins with a pause");
	if (s->n && ns <= s->step[s->n - 1].start_ns)
		return diag_err(d, -EINVAL, "%s: each step must start after the one before", text);
	if (s->n == PACE_STEPS_MAX)
		return diag_err(d, -ERANGE, "more than %d steps", PACE_STEPS_MAX);
	s->step[s->n++] = (struct pace_step){ .start_ns = ns };
	r->dirs = 0;
	return 0;
}

/* Reads a number of I/Os, or a size that ends with "/s". Only a pause, 0, has no unit of its own. */
static int read_rate(struct steps_reader *r, char *text, struct diag *d)
{
	size_t len = strlen(text);
	bool bytes = len > 2 && !strcmp(text + len - 2, "/s");
	const char *hint = HINT;
	uint64_t v;

	if (r->dirs == DIR_DATA)
		return diag_err(d, -EINVAL,
				"more than three rates in a step; write reads,writes,trims, and "
				"START:RATE for the next step");
	if (bytes)
		text[len - 2] = '\0';
	if (opt_number(text, r->kb_base, &v, &hint))
		return diag_err(d, -EINVAL, "%s: not a rate; %s", *text ? text : "an empty rate", hint);
	if (v > (bytes ? RATE_MAX : UINT32_MAX))
		return diag_err(d, -ERANGE, "%s: at most 4294967295 I/Os or 1p/s are allowed", text);
	r->bytes |= bytes;
	r->ios |= v && !bytes;
	if (r->bytes && r->ios)
		return diag_err(d, -EINVAL,
				"some steps count I/Os and some bytes; write all rates as numbers, or all as "
				"sizes per second, such as 10m/s");
	for (unsigned dir = r->dirs++; dir < DIR_DATA; dir++)
		r->to->step[r->to->n - 1].rate[dir] = v;
	return 0;
}

/* Reads START:RATE, which begins a step, or a further RATE of the step. */
static int read_word(struct steps_reader *r, struct diag *d)
{
	char *rate = strchr(r->word, ':');
	int err;

	if (!rate)
		return r->to->n ? read_rate(r, r->word, d)
				: diag_err(d, -EINVAL, "%s: there is no start; " HINT, r->word);
	*rate++ = '\0';
	err = read_start(r, r->word, d);
	return err ? err : read_rate(r, rate, d);
}

static int read_steps(struct steps_reader *r, const char *text, struct diag *d)
{
	int err = 0;

	if (!text || !*text)
		return diag_err(d, -EINVAL, "needs a value; " HINT);
	while (!err && text) {
		size_t len = strcspn(text, ",");

		if (len >= WORD_MAX)
			return diag_err(d, -EINVAL, "not a step; " HINT);
		memcpy(r->word, text, len);
		r->word[len] = '\0';
		err = read_word(r, d);
		text = text[len] ? text + len + 1 : NULL;
	}
	return err;
}

static int steps_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
		       struct diag *d)
{
	struct pace_steps steps = { 0 };
	struct steps_reader r = { .to = &steps, .kb_base = ctx->kb_base };
	int err = read_steps(&r, text, d);

	if (err)
		return err;
	if (!r.ios && !r.bytes)
		return diag_err(d, -EINVAL, "no step has a rate");
	steps.by_bytes = r.bytes;
	opt_note_ib(row, text, ctx);
	*(struct pace_steps *)field = steps;
	return 0;
}

static void print_rate(const struct pace_steps *s, uint64_t rate, struct strbuf *out)
{
	if (s->by_bytes) {
		strbuf_printf(out, "%s/s", units_suffixed(rate).text);
	} else {
		strbuf_u64(out, rate);
	}
}

static void steps_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	const struct pace_steps *s = field;

	(void)row;
	for (uint32_t i = 0; i < s->n; i++) {
		const uint64_t *rate = s->step[i].rate;
		unsigned dirs = rate[1] != rate[2] ? 3 : rate[0] != rate[1] ? 2 : 1;

		strbuf_printf(out, "%s%s", i ? "," : "", units_duration(s->step[i].start_ns, 0).text);
		for (unsigned d = 0; d < dirs; d++) {
			strbuf_putc(out, d ? ',' : ':');
			print_rate(s, rate[d], out);
		}
	}
}

const struct opt_type job_type_rate_steps = { OPT_TYPE("rates over time", steps),
					      .accepts = "starts and rates, such as 0s:1000,60s:5000" };
