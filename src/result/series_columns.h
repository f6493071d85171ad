/* series_columns.h: the columns of the series in JSON (fiord.series), which json_series.c writes and
   read_series.c reads. Each is an array with one element per interval. */
#ifndef SERIES_COLUMNS_H
#define SERIES_COLUMNS_H

/* The columns of one direction. */
enum series_column {
	COLUMN_IOS,
	COLUMN_BYTES,
	COLUMN_ERRORS,
	COLUMN_UNFINISHED, /* only where an I/O did not complete */
	COLUMN_COUNTS,
	COLUMN_LATS = COLUMN_COUNTS,
	COLUMN_RESPS = COLUMN_LATS + 4,
	SERIES_COLUMNS = COLUMN_RESPS + 4
};
/* The columns of a latency, from COLUMN_LATS or COLUMN_RESPS on. */
enum series_lat_column {
	COLUMN_LAT_MIN,
	COLUMN_LAT_MEAN,
	COLUMN_LAT_MAX,
	COLUMN_LAT_BINS,
	COLUMN_LAT_COLUMNS
};

extern const char *const series_column_name[SERIES_COLUMNS];
/* In pages histograms are arrays of pairs: the distance from the bucket before, and the count. These are the
   names of their columns; NULL: the column has no histograms. */
extern const char *const series_steps_name[SERIES_COLUMNS];

#endif
