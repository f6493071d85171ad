/* exit_code.h: the exit codes of the program. README and fiord(1) document these numbers. */
#ifndef EXIT_CODE_H
#define EXIT_CODE_H

enum exit_code {
	EXIT_OK = 0,
	EXIT_JOB = 1,       /* a job failed, or a worker was lost */
	EXIT_USAGE = 2,     /* the command line or a job file is wrong */
	EXIT_TARGET = 3,    /* a target was refused */
	EXIT_VERIFY = 4,    /* verification found damage */
	EXIT_THRESHOLD = 5, /* an assertion failed, or a condition of fiord compare --fail-if holds */
	EXIT_OUTPUT = 6,    /* the result could not be written */
	EXIT_UNCHECKED = 7, /* a job was to verify, and checked nothing */
	EXIT_SIGNAL = 128,  /* plus the signal's number */
};

#endif
