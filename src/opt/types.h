/* types.h: the kinds of value that many options share, and the macros that tie a row to a field of the right
   C type.

   Before the rows: #define OPT_STRUCT struct NAME (the struct that the table describes). A row whose field
   has another C type than its kind of value does not compile. */
#ifndef TYPES_H
#define TYPES_H

#include "opt.h"
#include "units.h"

/* The kinds of value. A number, size or time that begins with '(', or has a + * or /, is arithmetic. */
extern const struct opt_type opt_type_bool;     /* bool: 0 or 1 */
extern const struct opt_type opt_type_not;      /* bool: 0 or 1, stored as its opposite */
extern const struct opt_type opt_type_flag;     /* bool: a bare word, 0 or 1 */
extern const struct opt_type opt_type_u32;      /* uint32_t in min..max, size suffixes allowed */
extern const struct opt_type opt_type_i32;      /* int32_t; min and max are (uint64_t)(int64_t) */
extern const struct opt_type opt_type_u64;      /* uint64_t in min..max, size suffixes allowed */
extern const struct opt_type opt_type_size;     /* uint64_t */
extern const struct opt_type opt_type_amount;   /* struct amount: a size, N% or Nz */
extern const struct opt_type opt_type_whole;    /* the same; more than 100% is 100%, with a note */
extern const struct opt_type opt_type_zones;    /* struct amount: a size or Nz */
extern const struct opt_type opt_type_time;     /* uint64_t ns; a bare number is in row->unit_ns */
extern const struct opt_type opt_type_times;    /* uint64_t[2] ns: one time, or lo-hi */
extern const struct opt_type opt_type_sizes;    /* uint64_t[2]: one size, or lo-hi */
extern const struct opt_type opt_type_size3;    /* uint64_t[3]: R,W,T */
extern const struct opt_type opt_type_u32x3;    /* uint32_t[3]: R,W,T */
extern const struct opt_type opt_type_range3;   /* uint64_t[3][2]: lo-hi,lo-hi,lo-hi */
extern const struct opt_type opt_type_time3;    /* uint64_t[3] ns: R,W,T */
extern const struct opt_type opt_type_fraction; /* uint32_t millionths: 0 to 1, such as 0.25 */
extern const struct opt_type opt_type_enum;     /* unsigned or an enum, one of row->choices */
extern const struct opt_type opt_type_string;   /* char *, min..max bytes */
extern const struct opt_type opt_type_paths;    /* char *, ':'-separated; "\:" is stored as written */
extern const struct opt_type
	opt_type_paths_add;                  /* char *, ':'-separated; a later value adds to the earlier */
extern const struct opt_type opt_type_lines; /* char *, each value a line; a later one adds to the earlier */

/* For kinds of value: { OPT_TYPE("policy", policy) } has the functions policy_parse and policy_print. Numbers
   have a unit: { OPT_TYPE_OF(COUNT, "count", u32, uint32_t) }. */
#define OPT_TYPE(type_name, stem) .name = (type_name), .parse = stem##_parse, .print = stem##_print
#define OPT_TYPE_OF(measure, type_name, stem, field) \
	OPT_TYPE(type_name, stem), .unit = OPT_UNIT_##measure, .bytes = sizeof(field)
/* For further kinds of value that are stored as text in a char *. The initializer of such a type is
   { OPT_TYPE_TEXT("weights", parse) }. The parser checks the text and stores it with opt_text_set. */
void opt_text_print(const struct opt_row *row, const void *field, struct strbuf *out);
void opt_text_fini(const struct opt_row *row, void *field);
#define OPT_TYPE_TEXT(type_name, parser)                                                        \
	.name = (type_name), .parse = (parser), .print = opt_text_print, .fini = opt_text_fini, \
	.bytes = sizeof(char *)
/* Replaces the string *field by a copy of text. Returns 0 or -ENOMEM with d. */
int opt_text_set(char **field, const char *text, struct diag *d);

/* A row of this type has no field. The only supported choices are those with value >= 0, and they change
   nothing. CHOICE_REFUSED is compared up to ':' or ','. */
extern const struct opt_type opt_type_fixed;

/* clang-format off */
#define OPT_AT(field, ptr_type) \
	.offset = offsetof(OPT_STRUCT, field) + 0 * sizeof(_Generic(&((OPT_STRUCT *)0)->field, ptr_type: (char)1))

#define OPT_BOOL(field)   .type = &opt_type_bool, OPT_AT(field, bool *)
#define OPT_NOT(field)    .type = &opt_type_not, OPT_AT(field, bool *)
#define OPT_FLAG(field)   .type = &opt_type_flag, OPT_AT(field, bool *), .bare = true
#define OPT_U32(field)    .type = &opt_type_u32, OPT_AT(field, uint32_t *)
#define OPT_I32(field)    .type = &opt_type_i32, OPT_AT(field, int32_t *)
#define OPT_FRACTION(field) .type = &opt_type_fraction, OPT_AT(field, uint32_t *)
#define OPT_U64(field)    .type = &opt_type_u64, OPT_AT(field, uint64_t *)
#define OPT_SIZE(field)   .type = &opt_type_size, OPT_AT(field, uint64_t *)
#define OPT_AMOUNT(field) .type = &opt_type_amount, OPT_AT(field, struct amount *)
#define OPT_ZONES(field)  .type = &opt_type_zones, OPT_AT(field, struct amount *)
#define OPT_TIME(field, unit) .type = &opt_type_time, OPT_AT(field, uint64_t *), .unit_ns = (unit)
/* The second field must follow the first. */
#define OPT_TIMES(lo_field, unit) .type = &opt_type_times, OPT_AT(lo_field, uint64_t *), .unit_ns = (unit)
#define OPT_SIZES(lo_field) .type = &opt_type_sizes, OPT_AT(lo_field, uint64_t *)
#define OPT_SIZE3(field)  .type = &opt_type_size3, OPT_AT(field, uint64_t (*)[3])
#define OPT_TIME3(field, unit) .type = &opt_type_time3, OPT_AT(field, uint64_t (*)[3]), .unit_ns = (unit)
#define OPT_U32X3(field)  .type = &opt_type_u32x3, OPT_AT(field, uint32_t (*)[3])
/* An array of three structs of two uint64_t, lo and hi. */
#define OPT_RANGE3(field) .type = &opt_type_range3, OPT_AT(field[0].lo, uint64_t *)
#define OPT_ENUM(field, ...) .type = &opt_type_enum, OPT_AT(field, unsigned *), OPT_CHOICES(__VA_ARGS__)
#define OPT_STRING(field) .type = &opt_type_string, OPT_AT(field, char **)
#define OPT_PATHS(field)  .type = &opt_type_paths, OPT_AT(field, char **)
#define OPT_LINES(field)     .type = &opt_type_lines, OPT_AT(field, char **)
#define OPT_PATHS_ADD(field) .type = &opt_type_paths_add, OPT_AT(field, char **)
#define OPT_FIXED(...)     .type = &opt_type_fixed, OPT_CHOICES(__VA_ARGS__)

#define OPT_RANGE(lo, hi) .min = (lo), .max = (hi)
#define OPT_CHOICES(...)  .choices = (const struct opt_choice[]){ __VA_ARGS__, { .name = NULL } }
/* clang-format on */

#define OPT_US 1000ull
#define OPT_MS 1000000ull
#define OPT_S  1000000000ull

/* Computes with sizes: + - * / and parentheses, "(4*1024)", "(8k+4k)*2". Whole numbers; a result below 0 is
   -ERANGE. Errors and hint as in units.h. */
int opt_arith(const char *text, unsigned kb_base, uint64_t *out, const char **hint);
/* Reads a size or arithmetic: "(8k-4k)", "128*2". Errors and hint as in units.h. */
int opt_number(const char *text, unsigned kb_base, uint64_t *out, const char **hint);
/* Adds a note if text has a suffix KiB, MiB, ..., which fio reads as a power of 1000 (unless kb_base=1000).
 */
void opt_note_ib(const struct opt_row *row, const char *text, const struct opt_ctx *ctx);
/* Prints "1 to 65536" or "1 or more". Returns false, with nothing printed, if the row has no range. */
bool opt_print_range(const struct opt_row *row, struct strbuf *out);
/* Finds the choice whose name is the first n bytes of text; NULL if there is none. */
const struct opt_choice *opt_find_choice(const struct opt_choice *choices, const char *text, size_t n);
/* Finds the name of a value; "" if no choice has it. */
const char *opt_choice_name(const struct opt_choice *choices, int64_t value);
/* Sets the error "not a NOUN; write none, sync or dsync (did you mean dsync?)". Choices below 0 are not
   listed. Returns -EINVAL. */
int opt_unknown_choice(const struct opt_choice *choices, const char *noun, const char *text, struct diag *d);
/* Returns the choice, of those with value >= 0, that is most like text; NULL if none is near. */
const char *opt_nearest_choice(const struct opt_choice *choices, const char *text);
#endif
