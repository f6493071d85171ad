#include "content.h"

#include <string.h>

/* Writes bytes [from, from + n) of one period. */
static void put_period(const struct pattern *p, unsigned char *out, uint32_t from, size_t n, uint64_t offset)
{
	memcpy(out, p->bytes + from, n);
	for (uint32_t i = 0; i < p->noffsets; i++) {
		for (uint32_t k = 0; k < PATTERN_OFFSET_BYTES; k++) {
			uint32_t at = p->offset_at[i] + k;

			if (at >= from && at - from < n)
				out[at - from] = (unsigned char)(offset >> 8 * k);
		}
	}
}

void pattern_put(const struct pattern *p, void *buf, size_t bytes, uint64_t phase, uint64_t offset)
{
	unsigned char *out = buf;
	uint32_t from = (uint32_t)(phase % p->len);
	size_t n = p->len - from < bytes ? p->len - from : bytes, filled;

	if (from) {
		put_period(p, out, from, n, offset);
		out += n;
		bytes -= n;
	}
	filled = p->len < bytes ? p->len : bytes;
	put_period(p, out, 0, filled, offset);
	while (filled < bytes) {
		n = filled < bytes - filled ? filled : bytes - filled;
		memcpy(out + filled, out, n);
		filled += n;
	}
}

static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t bytes)
{
	size_t i = 0;

	if (!memcmp(a, b, bytes))
		return bytes;
	while (a[i] == b[i])
		i++;
	return i;
}

/* After one period the bytes need only repeat themselves. */
size_t pattern_differs(const struct pattern *p, const void *buf, size_t bytes, uint64_t phase,
		       uint64_t offset)
{
	const unsigned char *got = buf;
	size_t period = p->len < bytes ? p->len : bytes;

	for (size_t at = 0; at < period;) {
		unsigned char want[512];
		size_t n = period - at < sizeof(want) ? period - at : sizeof(want), same;

		pattern_put(p, want, n, phase + at, offset);
		same = first_difference(got + at, want, n);
		if (same < n)
			return at + same;
		at += n;
	}
	return period + first_difference(got + period, got, bytes - period);
}
