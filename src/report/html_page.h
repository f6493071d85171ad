/* html_page.h: the parts that all sections of the HTML report share. Internal to report/. */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "arena.h"
#include "chart.h"
#include "html.h"
#include "html_text.h"
#include "readable.h"
#include "svg.h"
#include "total.h"

/* From html.css and html.js, by html_assets.py. */
extern const char html_style[], html_script[];

/* How much of a group the page shows. The more groups a run has, the less of each, so that the page stays
   small. */
struct html_detail {
	size_t points; /* of a line over time */
	size_t cells;  /* intervals for latencies over time and heat maps; 0: all */
	size_t rows;   /* of a table over time */
	unsigned heat_cols, heat_rows;
	unsigned bars;       /* of a histogram */
	unsigned curve_step; /* percentile curves keep every curve_step-th point; above 1 their tables
				have only the nines */
	bool brief;          /* only IOPS, latencies over time and percentiles */
};

/* A run status group of a result. */
struct html_group {
	unsigned number;
	bool all_hosts;                 /* all groups of several hosts together */
	const struct result_job **jobs; /* its jobs; of several hosts: the entry of all hosts */
	size_t njobs;
	const struct result_job *total;
	const struct html_detail *detail;
	bool has_series;
	struct series sum;    /* the sum of the series of several workers; not used for one */
	struct series series; /* a view of the group's series, or of this sum */
	struct series
		joined; /* the group in fewer intervals, if the detail wants this; else without groups */
	struct series coarse; /* the group in few intervals, for tables */
	double start_ms, end_ms;
	size_t intervals; /* that charts over time show */
};

/* One result on its page. */
struct html_run {
	const struct result *r;
	const char *source; /* NULL: none */
	unsigned number;    /* from 1; it begins all ids: "r1-jobs" */
	unsigned level;     /* of its headings: 2, or 3 below the run's own */
	struct html_group *groups;
	size_t ngroups;
	const struct result_job *all; /* the sum of all groups and directions, if they ran at the same time;
					 else NULL */
	struct arena mem;
	struct strbuf *b;
};

/* Returns the unit of bandwidth in the job's charts. */
enum svg_unit html_rate_unit(const struct result_units *u);
/* Returns a value of a chart with this unit, for its table. */
struct short_text html_in_unit(enum svg_unit unit, double v, const struct result_units *u);
/* Returns the name of a direction, "Read"; of a job with mixed reporting "Mixed". */
const char *html_dir_name(const struct result_job *job, unsigned dir);
/* Returns its CSS class: "read", "write", "trim". */
const char *html_dir_class(unsigned dir);
/* Returns the look of its lines. */
enum svg_look html_dir_look(unsigned dir);
/* Returns the job's name, "(no name)" without one. */
const char *html_name(const struct result_job *job);
/* Returns text in the memory of the run; "" if memory is short, and then the page fails. */
const char *html_string(struct html_run *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds the name, escaped, and " on HOST" in a result of several hosts. */
void html_job_name(struct strbuf *b, const struct result_job *job);
/* Returns "completion latency" and so on. */
const char *html_lat_name(enum lat_kind kind);
/* Returns true if the direction has I/Os or errors. */
bool html_has_dir(const struct result_job *job, unsigned dir);
bool html_any_io(const struct result_job *job);

/* A section with its heading. `id` is unique in the run. Sections may nest: `below` is 0 for the run's own, 1
   below it. */
void html_section(struct html_run *h, unsigned below, const char *id, const char *title);
void html_section_end(struct html_run *h);

/* Tables. A table scrolls sideways in its own box, which the keyboard can reach. A column name that begins
   with
   '#' stands over numbers. */
void html_table(struct strbuf *b, const char *caption, const char *const *column, size_t columns);
void html_table_end(struct strbuf *b);
/* The same for a caller that writes each <tbody> itself. */
void html_table_head(struct strbuf *b, const char *caption, const char *const *column, size_t columns);
void html_table_foot(struct strbuf *b);
void html_row(struct strbuf *b, const char *head); /* begins a row; head: escaped, NULL adds none */
void html_row_end(struct strbuf *b);
void html_cell(struct strbuf *b, const char *text); /* escaped */
/* A cell with a number: html_number(b, readable_latency(ns).text). The text is escaped. */
void html_number(struct strbuf *b, const char *text);
void html_exact(struct strbuf *b, uint64_t v);
void html_cell_begin(struct strbuf *b); /* a cell that the caller fills */
void html_cell_end(struct strbuf *b);

/* A list of notes. Those after the first HTML_NOTES are folded. */
#define HTML_NOTES 2
struct html_notes {
	struct strbuf *b;
	size_t n;
};
void html_note_begin(struct html_notes *l);             /* begins an item, which the caller ends with </li> */
void html_note(struct html_notes *l, const char *text); /* escaped */
void html_notes_end(struct html_notes *l);

/* A tile within the caller's <dl>: the figure under data-tile="KEY", and below it a line; fmt NULL: none. */
void html_tile(struct strbuf *b, const char *label, const char *key, double value, struct short_text text,
	       const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* A tile of the state of the run, whose text the caller adds. look: good, bad or warn, and wide; or "". */
void html_state(struct strbuf *b, const char *look, const char *label, const char *key);

/* The cells that tables of figures share: the direction, which is the head of its row, IOPS and bandwidth. */
void html_dir_head(struct strbuf *b, const struct result_job *j, unsigned dir);
void html_rate_cells(struct strbuf *b, const struct result_job *j, unsigned dir);

/* The sections. */
void html_tiles(struct html_run *h, const struct html_group *g); /* the tiles of a group */
/* Adds the names of the group's jobs, escaped. */
void html_group_names(struct strbuf *b, const struct html_group *g);
/* The overview of n runs. */
void html_overview(struct html_run *run, size_t n, struct strbuf *b);
void html_status(struct html_run *h); /* errors, steady state, warm-up, ... */
/* Tiles within the caller's <dl>: is the group steady, did it stall. */
void html_steady(struct html_run *h, const struct html_group *g);
/* Returns whether a job has steadystate or latency_target. */
bool html_has_until(const struct result *r);
/* Adds the answer of the run and those of latency_target, which stand above the figures. */
void html_until_answers(struct html_run *h);
/* Adds tiles to the caller's <dl>: whether the criterion was attained, and which depth was found. */
void html_until_tiles(struct html_run *h);
void html_notes(struct html_run *h);
void html_verdicts(struct html_run *h); /* of assertions; nothing without them */
void html_problems(struct html_run *h); /* errors, lost I/Os, damage; nothing if there are none */
void html_group_table(struct html_run *h);
void html_charts(struct html_run *h, const struct html_group *g);
/* Parts of the charts: returns false, and adds nothing, if the group has no bins. */
bool html_percentile_chart(struct html_run *h, const struct html_group *g);
void html_histogram(struct html_run *h, const struct html_group *g);
/* Begins a figure; text: a sentence after its title, or NULL. */
void html_begin_figure(struct strbuf *b, const char *title, const char *text);
/* Begins the table of a figure, which is folded; the end closes the figure, too. */
void html_figures(struct strbuf *b, const char *caption, const char *const *column, size_t columns);
void html_figures_end(struct strbuf *b);
/* The same for the bars of a histogram; the first column has the latencies. */
void html_bins(struct strbuf *b, const char *caption, const char *const *column,
	       const struct chart_histogram *c);
/* A chart over time while it is built: its lines, and those of its table, which has fewer points. */
#define HTML_LINES 8
struct html_time_chart {
	struct svg_axes axes;
	const struct result_units *units;
	struct svg_line line[HTML_LINES];
	struct chart_line fine[HTML_LINES], coarse[HTML_LINES]; /* of the chart, and of its table */
	size_t n;                                               /* lines */
	int err;                                                /* 0, or -errno: there is no figure */
	double row_ns;                                          /* the interval of a row of the table */
	bool from_start; /* the rows begin at start_ns and follow each other; else they have the times of the
			    lines */
	double start_ns;
};
/* Adds the figure, nothing without rows, and frees the lines. text: a sentence, or NULL. */
void html_time_chart(struct html_run *h, struct html_time_chart *c, const char *text);
/* Begins a row for the latencies from lo to hi, in ns. */
void html_latency_range(struct strbuf *b, double lo, double hi);
/* Adds what the lowest row ("row" or "bar") of a chart has if it begins far below the axis (low_ns in
 * chart.h). */
void html_lowest_row(struct strbuf *text, const double *bound_ns, double low_ns, const char *row);
/* The contents of sections; html.c adds their frames, and leaves out those that the result does not have. */
void html_until(struct html_run *h); /* the samples and steps of such jobs */
void html_jobs(struct html_run *h);
bool html_has_rate_steps(const struct result *r);
void html_rate_steps(struct html_run *h);
void html_files(struct html_run *h); /* of jobs with per_file_stats */
bool html_has_files(const struct result *r);
void html_where(struct html_run *h); /* of jobs with latency_split */
bool html_has_where(const struct result *r);
void html_hosts(struct html_run *h); /* the ranks of fiord-mpi */
void html_cpu(struct html_run *h);
void html_disks(struct html_run *h);
void html_plan(struct html_run *h);
void html_environment(struct html_run *h);
void html_options(struct html_run *h);

void html_base64(struct strbuf *b, const unsigned char *v, size_t n);
/* Adds the results as JSON, compressed. Series become coarser until the page, which has page_bytes without
   the data, meets its budget. */
void html_embed(const struct result *const *res, size_t n, size_t page_bytes, struct strbuf *b);

#endif
