/* Do packed statistics add up like merged ones? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "live_request.h"

static struct wstat *new_wstat(const struct wstat_layout *l)
{
	struct wstat *s = calloc(1, wstat_size(l));

	assert_non_null(s);
	wstat_init(s, l);
	return s;
}

static const struct wstat_layout layouts[] = {
	{ .nhist = 0 },
	{ .hist[0][LAT_CLAT] = 1, .moments[0][LAT_CLAT] = 1, .nhist = 1 },
	{ .hist[0][LAT_SLAT] = 1,
	  .hist[0][LAT_CLAT] = 2,
	  .hist[1][LAT_LAT] = 3,
	  .hist[3][LAT_CLAT] = 4,
	  .nhist = 4 },
	{ .hist[0][LAT_CLAT] = 1, .nhist = 1, .nprio = 3, .prio_kind = LAT_CLAT },
};

/* Statistics with these layouts, from n values spread over the whole range. */
static struct wstat *filled(const struct wstat_layout *l, unsigned n)
{
	struct wstat *s = new_wstat(l);

	for (unsigned k = 0; k < n; k++) {
		uint64_t ns = (uint64_t)k * k * 977 << k % 40;

		for (unsigned d = 0; d < DIR_COUNT; d++) {
			s->dir[d].ios++;
			s->dir[d].bytes += 4096;
			moments_add(&s->dir[d].lat[k % LAT_KINDS], ns);
		}
		for (unsigned i = 0; i < l->nhist; i++)
			hist_add(&s->hist[i], ns);
		for (unsigned i = 0; i < l->nprio; i++) {
			wstat_prios(s, l)[i].prio = 7 + i;
			moments_add(&wstat_prios(s, l)[i].lat[k % WSTAT_PRIO_DIRS], ns);
			hist_add(&wstat_prios(s, l)[i].hist[k % WSTAT_PRIO_DIRS], ns);
		}
	}
	return s;
}

/* Packing and adding equals merging, whatever the target held. */
static void unpack_is_merge(void **state)
{
	static const unsigned counts[] = { 0, 1, 2, 500 };

	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		const struct wstat_layout *l = &layouts[i];

		for (unsigned a = 0; a < 4; a++) {
			for (unsigned b = 0; b < 4; b++) {
				struct wstat *from = filled(l, counts[a]), *want = filled(l, counts[b]),
					     *got = filled(l, counts[b]);
				void *packed = malloc(wstat_pack_size(l));

				assert_non_null(packed);
				memset(packed, 0xa5, wstat_pack_size(l));
				assert_true(wstat_pack(packed, from, l) <= wstat_pack_size(l));
				wstat_merge(want, from, l);
				wstat_pack_add(got, packed, l);
				assert_memory_equal(got, want, wstat_size(l));
				free(packed);
				free(from);
				free(want);
				free(got);
			}
		}
	}
}

/* Only the used part is packed. */
static void packed_is_small(void **state)
{
	const struct wstat_layout *l = &layouts[2];
	struct wstat *s = new_wstat(l);
	void *packed = malloc(wstat_pack_size(l));
	size_t empty;

	(void)state;
	assert_non_null(packed);
	empty = wstat_pack(packed, s, l);
	hist_add(&s->hist[0], 1000);
	assert_int_equal(wstat_pack(packed, s, l), empty + sizeof(uint64_t));
	hist_add(&s->hist[0], 1 << 30);
	assert_true(wstat_pack(packed, s, l) < empty + sizeof(s->hist[0].n));
	free(packed);
	free(s);
}

int unit_wstat_pack(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpack_is_merge),
		cmocka_unit_test(packed_is_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
