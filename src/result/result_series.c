#include "result.h"

#include "series_columns.h"

const char *const series_column_name[SERIES_COLUMNS] = {
	"ios",     "bytes",  "errors",   "unfinished", "lat_min",  "lat_mean",
	"lat_max", "lat_ns", "resp_min", "resp_mean",  "resp_max", "resp_ns",
};
const char *const series_steps_name[SERIES_COLUMNS] = { [(unsigned)COLUMN_LATS + COLUMN_LAT_BINS] =
								"lat_steps",
							[(unsigned)COLUMN_RESPS + COLUMN_LAT_BINS] =
								"resp_steps" };

void result_move_series(struct result *r, struct series *from, const struct result_series_label *label,
			uint64_t start_ms)
{
	struct result_series_label *copy = arena_array(&r->mem, from->ngroups + 1, sizeof(*copy));

	r->failed |= !copy || !label;
	for (unsigned i = 0; copy && label && i < from->ngroups; i++) {
		copy[i] = label[i];
		copy[i].name = result_copy_text(r, label[i].name);
	}
	r->series = (struct result_series){ .data = *from, .label = copy, .start_ms = start_ms };
	*from = (struct series){ 0 };
}
