/* pi_chk.c: the option pi_chk of the engines with a ring: which parts of protection information are checked.
 */
#include <errno.h>
#include <string.h>
#include "diag.h"
#include "nvme_command.h"
#include "strbuf.h"
#include "uring.h"

/* A set of words, separated by commas. */
static const struct {
	const char *word;
	uint32_t bit;
} checks[] = { { "GUARD", NVME_PRCHK_GUARD }, { "REFTAG", NVME_PRCHK_REF }, { "APPTAG", NVME_PRCHK_APP } };
#define NCHECKS (sizeof(checks) / sizeof(*checks))

static uint32_t check_named(const char *word, size_t n)
{
	for (size_t i = 0; i < NCHECKS; i++)
		if (strlen(checks[i].word) == n && !memcmp(checks[i].word, word, n))
			return checks[i].bit;
	return 0;
}

static int pi_chk_parse(const struct opt_row *row, void *field, const char *text, const struct opt_ctx *ctx,
			struct diag *d)
{
	uint32_t bits = 0;

	(void)row;
	(void)ctx;
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, ",");
		uint32_t bit = check_named(at, n);

		if (!bit || (at[n] && !at[n + 1]))
			return diag_err(d, -EINVAL,
					"not a list of checks; write GUARD, REFTAG and APPTAG, separated by "
					"commas");
		bits |= bit;
		at += n + (at[n] == ',');
	}
	*(uint32_t *)field = bits;
	return 0;
}

static void pi_chk_print(const struct opt_row *row, const void *field, struct strbuf *out)
{
	uint32_t bits = *(const uint32_t *)field;
	const char *comma = "";

	(void)row;
	for (size_t i = 0; i < NCHECKS; i++) {
		if (!(bits & checks[i].bit))
			continue;
		strbuf_printf(out, "%s%s", comma, checks[i].word);
		comma = ",";
	}
}

const struct opt_type pi_chk_type = { OPT_TYPE("list", pi_chk), .bytes = sizeof(uint32_t) };
