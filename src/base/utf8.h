/* utf8.h: which bytes are UTF-8. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

#define UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Returns the length of the UTF-8 character at s; 0 if the bytes are not valid UTF-8, such as an overlong
   form, a surrogate or a code above U+10FFFF. It reads no further than the first byte that is ASCII, such as
   the terminating NUL. */
size_t utf8_len(const unsigned char *s);
/* Returns true if no page may show the character of this length at s: a control character, a mark that is
   invisible or that turns the direction of the text after it, or a code that is no character. */
bool utf8_is_harmful(const unsigned char *s, size_t len);
/* Returns the length of the character at s, at least 1. Stores in *shown whether a line of text may show it:
   it is valid, harmless, and no tab or line feed. A terminal obeys C1 controls, and a mark may reverse a
   line. */
size_t utf8_next(const char *s, bool *shown);
/* Replaces by '?', in place, what utf8_next does not show, except the bytes in `keep`. */
void utf8_make_plain(char *s, const char *keep);
/* Returns whether text is what a document has for these bytes: the same, but U+FFFD for each byte that is not
   valid UTF-8. */
bool utf8_is_copy(const char *text, const char *bytes);
/* Writes the character of this code, 3 bytes at most for codes below 65536, else 4; returns its length. */
size_t utf8_put(char *to, unsigned long code);

#endif
