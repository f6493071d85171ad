/* speller.h: spells options in messages (message.h) in the words of a DISKSPD line or profile: the flag
   that became the job option (flags.h), as it was typed, or the profile's element. Pure. */
#ifndef DISKSPD_SPELLER_H
#define DISKSPD_SPELLER_H

#include <stdbool.h>
#include <stddef.h>
#include "message.h"
#include "profile.h"

struct ds_speller {
	const char *file; /* name of the job text, which messages leave out */
	enum ds_dialect dialect;
	int argc; /* the line's arguments; the caller owns them */
	const char *const *argv;
	bool xml;        /* the options come from a profile, unless the line has them */
	size_t sections; /* number of sections; messages name theirs if there are several */
};

/* Returns the element of a profile ("<BlockSize>") for a flag ("-b"); NULL: none. */
const char *ds_xml_element(const char *form);
/* Adds where a line sets this job option ("-r, -s or -w") to out, for a profile its elements ("<Random>")
   unless the flag is possible beside one. Returns false if DISKSPD has no such setting. */
bool ds_speller_places(enum ds_dialect dialect, const char *option, bool profile, struct strbuf *out);
/* *s must live as long as the result. */
struct speller ds_speller(const struct ds_speller *s);

#endif
