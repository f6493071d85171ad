/* speller.h: the words of a DISKSPD line or profile for messages (message.h) about the job that it became: an
   option is the flag that it comes from (flags.h), as it was typed, or the profile's element. Pure. */
#ifndef DISKSPD_SPELLER_H
#define DISKSPD_SPELLER_H

#include <stdbool.h>
#include <stddef.h>
#include "message.h"
#include "profile.h"

struct ds_speller {
	const char *file; /* the job text's name: places in it are left out */
	enum ds_dialect dialect;
	int argc; /* the line's arguments; the caller's */
	const char *const *argv;
	bool xml;        /* a profile has all that the line does not say */
	size_t sections; /* with several, messages name theirs */
};

/* The element of a profile ("BlockSize") for a flag ("-b"); NULL: none. */
const char *ds_xml_element(const char *form);
/* s must live as long as the speller. */
struct speller ds_speller(const struct ds_speller *s);

#endif
