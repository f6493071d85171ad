/* shell_number.h: arithmetic of PowerShell, cmd and sh: 30*60, $d * 2, 4KB, (1 + %N%) / 2. Pure. */
#ifndef DISKSPD_SHELL_NUMBER_H
#define DISKSPD_SHELL_NUMBER_H

#include <stddef.h>
#include <stdint.h>

struct shell_vars;

/* PowerShell knows 4KB, and a variable counts only if it is a number there. In cmd and sh a bare name is a
   variable. Divisions of cmd drop the remainder; elsewhere a remainder is an error. */
enum shell_number_kind { SHELL_NUMBER_PS, SHELL_NUMBER_CMD, SHELL_NUMBER_SH };

/* Computes the expression `text` of `len` bytes. Returns 0, or -ENODATA if it is not an expression of whole
   numbers, or if a name in it has no number as its value. */
int shell_number_eval(const char *text, size_t len, enum shell_number_kind kind,
		      const struct shell_vars *vars, int64_t *value);

#endif
