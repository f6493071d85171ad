/* type_distribution.c: random_distribution=. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"
#include "rows.h"
#include "types.h"

#define BLANK UINT64_MAX

/* The state of the parser. */
struct distribution_reader {
	const char *text; /* not yet read */
	unsigned kb_base;
	bool absolute;
	struct diag *d;
};

static const char *zone_hint(const struct distribution_reader *r)
{
	return r->absolute ? "write accesses/size:accesses/size, such as 80/1g:20/9g"
			   : "write accesses/size:accesses/size in percent, such as 80/20:20/80";
}

static int read_percent(struct distribution_reader *r, uint64_t *percent)
{
	size_t digits = strspn(r->text, "0123456789");

	if (!digits || digits > 3 || strtoul(r->text, NULL, 10) > 100)
		return diag_err(r->d, -EINVAL, "a zone has a percentage from 0 to 100; %s", zone_hint(r));
	*percent = strtoul(r->text, NULL, 10);
	r->text += digits;
	return 0;
}

static int read_bytes(struct distribution_reader *r, uint64_t *bytes)
{
	size_t len = strcspn(r->text, ":,");
	const char *hint = zone_hint(r);
	char size[64];

	if (len >= sizeof(size))
		return diag_err(r->d, -EINVAL, "not a size; %s", hint);
	memcpy(size, r->text, len);
	size[len] = '\0';
	if (opt_number(size, r->kb_base, bytes, &hint))
		return diag_err(r->d, -EINVAL, "%s: not a size; %s", size, hint);
	if (*bytes > UINT64_MAX / 4)
		return diag_err(r->d, -ERANGE, "%s: a zone is too large", size);
	r->text += len;
	return 0;
}

/* Reads accesses[/[size]]. *size is BLANK if the size is missing. */
static int read_zone(struct distribution_reader *r, struct dist_zone *z, uint64_t *size)
{
	uint64_t access = 0;
	int err = read_percent(r, &access);

	z->access = (uint32_t)access;
	*size = BLANK;
	if (err || *r->text != '/')
		return err;
	r->text++;
	if (*r->text && *r->text != ':' && *r->text != ',')
		err = r->absolute ? read_bytes(r, size) : read_percent(r, size);
	if (!err && *size == 0 && z->access)
		err = diag_err(r->d, -EINVAL, "a zone of size 0 has %u %% of the accesses", z->access);
	return err;
}

/* Divides the rest of 100 % among the zones without a size, as in bssplit. */
static int share_blanks(struct distribution_reader *r, uint64_t *size, unsigned n)
{
	uint64_t sum = 0, share;
	unsigned blanks = 0;

	for (unsigned i = 0; i < n; i++) {
		blanks += size[i] == BLANK;
		sum += size[i] == BLANK ? 0 : size[i];
	}
	if (sum > 100)
		return diag_err(r->d, -ERANGE, "the sizes of the zones add up to %llu %%",
				(unsigned long long)sum);
	share = blanks ? (100 - sum) / blanks : 0;
	if (blanks && !share)
		return diag_err(r->d, -ERANGE, "nothing is left for the zones without a size");
	for (unsigned i = 0; i < n; i++) {
		if (size[i] != BLANK)
			continue;
		size[i] = --blanks ? share : 100 - sum;
		sum += share;
	}
	return 0;
}

static int set_ends(struct distribution_reader *r, struct dist_zones *z, uint64_t *size)
{
	uint64_t end = 0;
	int err = r->absolute ? 0 : share_blanks(r, size, z->n);

	for (unsigned i = 0; i < z->n && !err; i++) {
		if (size[i] == BLANK && i + 1 < z->n)
			return diag_err(r->d, -EINVAL, "only the last zone may be without a size; %s",
					zone_hint(r));
		end = size[i] == BLANK ? UINT64_MAX : end + size[i];
		if (end > UINT64_MAX / 4 && size[i] != BLANK)
			return diag_err(r->d, -ERANGE, "the zones are too large");
		z->zone[i].end = end;
	}
	return err;
}

/* Reads the zones of one direction. */
static int read_zones(struct distribution_reader *r, struct dist_zones *z)
{
	uint64_t size[DIST_ZONES], accesses = 0;
	int err;

	z->n = 0;
	if (!*r->text || *r->text == ',')
		return 0;
	for (;; r->text++) {
		if (z->n == DIST_ZONES)
			return diag_err(r->d, -ERANGE, "more than %d zones", DIST_ZONES);
		err = read_zone(r, &z->zone[z->n], &size[z->n]);
		if (err)
			return err;
		accesses += z->zone[z->n++].access;
		if (*r->text != ':')
			break;
	}
	if (*r->text && *r->text != ',')
		return diag_err(r->d, -EINVAL, "not a list of zones; %s", zone_hint(r));
	if (accesses != 100)
		return diag_err(r->d, -EINVAL, "the accesses of the zones add up to %llu %%, not to 100",
				(unsigned long long)accesses);
	err = set_ends(r, z, size);
	if (!err)
		dist_prepare(z);
	return err;
}

/* Reads all directions. Missing ones at the end copy the direction before them. */
static int read_directions(struct distribution_reader *r, struct dist_cfg *c)
{
	for (unsigned dir = 0; dir < DIR_DATA; dir++) {
		int err;

		if (dir && !*r->text) {
			c->dir[dir] = c->dir[dir - 1];
			continue;
		}
		r->text += dir > 0;
		err = read_zones(r, &c->dir[dir]);
		if (err)
			return err;
	}
	if (*r->text)
		return diag_err(r->d, -EINVAL, "more than three directions; write reads,writes,trims");
	return 0;
}

/* Reads block,block... */
static int read_sequence(struct distribution_reader *r, struct dist_cfg *c)
{
	for (c->sequence_n = 0;; r->text++) {
		size_t digits = strspn(r->text, "0123456789");
		uint64_t block;

		if (!digits || digits > 18 || (r->text[digits] && r->text[digits] != ','))
			return diag_err(
				r->d, -EINVAL,
				"needs numbers of blocks, counted from 0, with commas between, such as "
				"sequence:0,5,3");
		if (c->sequence_n == DIST_SEQUENCE_MAX)
			return diag_err(r->d, -ERANGE, "more than %d blocks", DIST_SEQUENCE_MAX);
		block = strtoull(r->text, NULL, 10);
		c->sequence[c->sequence_n++] = block;
		if (block >= c->sequence_blocks)
			c->sequence_blocks = block + 1;
		r->text += digits;
		if (!*r->text)
			return 0;
	}
}

bool opt_distribution_uniform(const char *text)
{
	return !strcmp(text, "random");
}

int opt_distribution(const char *text, unsigned kb_base, struct dist_cfg *c, struct diag *d)
{
	struct distribution_reader r = { .text = text + strcspn(text, ":"), .kb_base = kb_base, .d = d };

	if (!strncmp(text, "sequence", 8)) {
		c->kind = DIST_SEQUENCE;
		c->sequence_blocks = 0;
		r.text += *r.text == ':';
		return read_sequence(&r, c);
	}
	if (strncmp(text, "zoned", 5) != 0) {
		c->kind = DIST_SKEWED;
		return opt_skew(text, &c->skew, d);
	}
	r.absolute = c->absolute = !strncmp(text, "zoned_abs:", 10);
	if (*r.text++ != ':' || !*r.text)
		return diag_err(d, -EINVAL, "needs zones, such as zoned:80/20:20/80");
	return read_directions(&r, c);
}

/* Finds the choice before the colon. Returns NULL with d if it is unknown. */
static const struct opt_choice *find_kind(const struct opt_row *row, const char *text, struct diag *d)
{
	const struct opt_choice *c = opt_find_choice(row->choices, text, strcspn(text, ":,"));

	if (c)
		return c;
	diag_err(d, -EINVAL,
		 "not a distribution; write random, zipf:..., pareto:..., normal:..., zoned:..., "
		 "zoned_abs:... or sequence:...");
	return NULL;
}

static int distribution_parse(const struct opt_row *row, void *field, const char *text,
			      const struct opt_ctx *ctx, struct diag *d)
{
	const struct opt_choice *kind = find_kind(row, text, d);
	struct dist_cfg *scratch;
	int err = 0;

	if (!kind)
		return d->err;
	if (!kind->value && text[strlen(kind->name)])
		return diag_err(d, -EINVAL, "%s has no parameters", kind->name);
	if (kind->value) {
		scratch = calloc(1, sizeof(*scratch));
		err = scratch ? opt_distribution(text, ctx->kb_base, scratch, d)
			      : diag_err(d, -ENOMEM, "out of memory");
		free(scratch);
	}
	if (err)
		return err;
	opt_note_ib(row, text, ctx);
	return opt_text_set(field, text, d);
}

const struct opt_type job_type_distribution = { OPT_TYPE_TEXT("distribution", distribution_parse) };
