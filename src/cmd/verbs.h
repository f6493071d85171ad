/* verbs.h: the verbs that have a command line of their own: diskspd, report, merge, compare, preset, dist,
   sweep, peak, trace, trend.
   main looks for them before it reads anything as jobs. A verb is the first word of the command line. There
   are none if the program runs under fio's name. A job file with the name of a verb is given by its path,
   ./report. */
#ifndef VERBS_H
#define VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include "diag.h"

struct strbuf;

/* An option: --name VALUE, --name=VALUE, or -l VALUE. */
struct verb_option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* "FILE"; NULL: the option takes no value */
	const char *help;
	/* Returns 0 or -errno with d. value is NULL if the option takes none. */
	int (*set)(void *ctx, const char *value, struct diag *d);
	/* Without `set`: the offset in ctx of a bool that becomes true, or of the text that becomes the
	 * value. */
	size_t member;
	bool once; /* the option may be given once */
	/* Not NULL: the value is one of these words, and the member an int that becomes its index. */
	const char *const *words;
};

/* Files as arguments, for `files` of a verb. */
struct verb_files {
	const char **v;
	size_t n, cap;
};

struct verb {
	const char *name;
	const char *synopsis;              /* "report FILE... [-o FILE]" */
	const char *help;                  /* a line for the list of verbs */
	const char *usage;                 /* the text above the options in --help */
	const struct verb_option *options; /* ends with an empty entry; NULL: the verb parses by itself */
	/* Returns the i-th word that may follow the verb, or NULL after the last. The verb's options are then
	   those of run. NULL: files follow. */
	const char *(*word)(size_t i);
	/* Takes an argument that is no option. "-" is passed on like a name. Returns 0 or -errno with d.
	   NULL: the arguments are added to the struct verb_files at the offset `files` of ctx. */
	int (*file)(void *ctx, const char *path, struct diag *d);
	size_t files;
	bool any_option; /* `file` also takes the options that the verb does not have */
	/* Returns the exit code; main prints the error in d. argv[1] is the verb. */
	int (*run)(int argc, char *const *argv, struct diag *d);
};

extern const struct verb *const verb_table[]; /* ends with NULL */
/* Each stands in its cmd_NAME.c. */
extern const struct verb verb_report, verb_compare, verb_merge, verb_preset, verb_dist, verb_sweep, verb_peak,
	verb_trace, verb_trend;

/* Returns the verb, or NULL. */
const struct verb *verb_find(const char *word);
/* verb_parse.c: parses the arguments after the verb with its options. Returns 0, -errno with d, or
   VERB_HELP_SHOWN after it has printed the help that --help asks for. */
#define VERB_HELP_SHOWN 1
int verb_parse(const struct verb *v, void *ctx, int argc, char *const *argv, struct diag *d);
/* Checks --`option`=`output`, NULL for standard output: it can be written, and it is not one of the n input
   files. Returns 0 or -errno with d. */
int verb_check_output(const char *option, const char *output, const char *const *input, size_t n,
		      struct diag *d);
/* The formats of a verb's report. */
enum verb_format { VERB_TEXT, VERB_JSON, VERB_HTML };
extern const char *const verb_format_names[]; /* ends with NULL */
/* Returns the format that fits the name of the output: FILE.html, FILE.json; else VERB_TEXT, also for NULL.
 */
enum verb_format verb_format_of(const char *output);
/* Says that the value is none of the words, and names the nearest one. Returns -EINVAL. */
int verb_bad_word(const char *option, const char *text, const char *const *words, struct diag *d);
/* Passes each word of a list on; `between` has the characters that separate them. Returns 0 or -errno with
   d. */
int verb_each_word(const char *list, const char *between,
		   int (*add)(void *ctx, const char *word, struct diag *d), void *ctx, struct diag *d);
/* Adds the text of --help. */
void verb_help(const struct verb *v, struct strbuf *b);

#endif
