#include "series_columns.h"

#include <stddef.h>

const char *const series_column_name[SERIES_COLUMNS] = {
	"ios",     "bytes",  "errors",   "unfinished", "lat_min",  "lat_mean",
	"lat_max", "lat_ns", "resp_min", "resp_mean",  "resp_max", "resp_ns",
};
const char *const series_steps_name[SERIES_COLUMNS] = { [COLUMN_LATS + COLUMN_LAT_BINS] = "lat_steps",
							[COLUMN_RESPS + COLUMN_LAT_BINS] = "resp_steps" };
