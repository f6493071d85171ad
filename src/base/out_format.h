/* out_format.h: the output formats as bits. The command line selects them, and the reports write them. */
#ifndef OUT_FORMAT_H
#define OUT_FORMAT_H

enum out_format {
	OUT_NORMAL = 1,
	OUT_TERSE = 2,
	OUT_JSON = 4,
	OUT_JSON_PLUS = 8,
	OUT_DISKSPD = 16,
	OUT_DISKSPD_XML = 32,
	OUT_TEXT = OUT_NORMAL | OUT_DISKSPD,       /* for people */
	OUT_SPANS = OUT_DISKSPD | OUT_DISKSPD_XML, /* reports about time spans */
};

/* A file that takes the result in these formats. */
struct out_file {
	const char *path; /* NULL: standard output */
	unsigned formats; /* enum out_format bits */
};

#endif
