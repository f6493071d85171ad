#include <assert.h>
#include <string.h>
#include "verify_map.h"

static uint64_t divide_up(uint64_t bytes, uint32_t unit)
{
	return bytes / unit + (bytes % unit != 0);
}

uint64_t verify_map_bytes(uint64_t len, uint32_t unit)
{
	uint64_t units = divide_up(len, unit);

	return units <= UINT64_MAX / sizeof(uint32_t) ? units * sizeof(uint32_t) : UINT64_MAX;
}

void verify_map_init(struct verify_map *m, uint32_t *entry, uint64_t start, uint64_t len, uint32_t unit)
{
	assert(unit && len <= INT64_MAX && start <= INT64_MAX - len);
	m->entry = entry;
	m->start = start;
	m->end = start + len;
	m->unit = unit;
	m->shift = (unsigned)__builtin_ctz(unit);
	m->quick = unit & (unit - 1) ? 0 : len / unit;
}

/* The units that some bytes of the range touch: [first, end). The bytes cover all of [whole, whole_end). If
   they lie inside one unit, whole_end is below whole, and both [first, whole) and [whole_end, end) are this
   unit. */
struct units {
	uint64_t first, whole, whole_end, end;
};

static struct units find_units(const struct verify_map *m, uint64_t offset, uint64_t len)
{
	uint64_t at = offset - m->start, stop = at + len;
	struct units u = { at / m->unit, divide_up(at, m->unit), stop / m->unit, divide_up(stop, m->unit) };

	assert(offset >= m->start && offset <= m->end && len <= m->end - offset);
	if (len == 0)
		return (struct units){ 0 };
	if (offset + len == m->end)
		u.whole_end = u.end;
	return u;
}

static void set_entries(struct verify_map *m, uint64_t first, uint64_t end, uint32_t value)
{
	for (uint64_t i = first; i < end; i++)
		m->entry[i] = value;
}

void verify_map_mark_any(struct verify_map *m, uint64_t offset, uint32_t len, uint64_t number, bool uncertain)
{
	struct units u = find_units(m, offset, len);
	uint32_t value = verify_map_number31(number);

	set_entries(m, u.first, u.whole, value | VERIFY_MAP_UNCERTAIN);
	set_entries(m, u.whole, u.whole_end, uncertain ? value | VERIFY_MAP_UNCERTAIN : value);
	set_entries(m, u.whole_end, u.end, value | VERIFY_MAP_UNCERTAIN);
}

int64_t verify_map_newest_any(const struct verify_map *m, uint64_t offset, uint32_t len, uint64_t next)
{
	struct units u = find_units(m, offset, len);
	uint32_t last = 0;
	int64_t newest = -1;

	for (uint64_t i = u.first; i < u.end; i++) {
		uint32_t number31 = m->entry[i] & ~VERIFY_MAP_UNCERTAIN;
		int64_t number;

		if (number31 == last)
			continue;
		last = number31;
		number = verify_map_number(number31, next);
		newest = number > newest ? number : newest;
	}
	return newest;
}

void verify_map_set_uncertain(struct verify_map *m, uint64_t offset, uint64_t len)
{
	struct units u = find_units(m, offset, len);

	for (uint64_t i = u.first; i < u.end; i++)
		m->entry[i] |= VERIFY_MAP_UNCERTAIN;
}

void verify_map_forget(struct verify_map *m, uint64_t offset, uint64_t len)
{
	struct units u = find_units(m, offset, len);

	set_entries(m, u.first, u.end, 0);
}

#define SKIP_WORDS   8u
#define SKIP_ENTRIES (SKIP_WORDS * sizeof(uint64_t) / sizeof(uint32_t))

/* Returns the first unit of [i, end) whose entry is not 0, or end. Maps are large and often mostly empty. */
static uint64_t skip_unwritten(const uint32_t *entry, uint64_t i, uint64_t end)
{
	for (; end - i >= SKIP_ENTRIES; i += SKIP_ENTRIES) {
		uint64_t word[SKIP_WORDS], any = 0;

		memcpy(word, entry + i, sizeof(word));
		for (unsigned k = 0; k < SKIP_WORDS; k++)
			any |= word[k];
		if (any)
			break;
	}
	while (i < end && entry[i] == 0)
		i++;
	return i;
}

bool verify_map_next(const struct verify_map *m, uint64_t *at, uint32_t max, struct verify_run *run)
{
	uint64_t units = divide_up(m->end - m->start, m->unit), most = max / m->unit, first, end, stop;

	assert(most > 0 && *at >= m->start && *at <= m->end);
	first = *at < m->end ? skip_unwritten(m->entry, (*at - m->start) / m->unit, units) : units;
	if (first == units) {
		*at = m->end;
		return false;
	}
	end = first + 1;
	while (end < units && end - first < most && m->entry[end] == m->entry[first])
		end++;
	stop = end == units ? m->end : m->start + end * m->unit;
	run->offset = m->start + first * m->unit;
	run->bytes = (uint32_t)(stop - run->offset);
	run->number31 = m->entry[first] & ~VERIFY_MAP_UNCERTAIN;
	run->uncertain = m->entry[first] & VERIFY_MAP_UNCERTAIN;
	*at = stop;
	return true;
}
