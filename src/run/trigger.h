/* trigger.h: --trigger-file and --trigger-timeout end the run, and --trigger runs a command when they do. */
#ifndef TRIGGER_H
#define TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trigger_cfg;

/* The state of the trigger and of its command. */
struct trigger {
	bool fired, by_file;
	uint64_t after_ns; /* since the start of the run */
	int pid;           /* of the command; 0: none runs */
	int status;        /* wait status of the command */
	int error;         /* errno of a command that could not be started */
};

/* Returns how often the parent has to call trigger_fires; 0: the run has no trigger. */
uint64_t trigger_every_ns(const struct trigger_cfg *c);
/* Returns whether the trigger fires now, and starts the command if it does. The caller ends the run. */
bool trigger_fires(struct trigger *t, const struct trigger_cfg *c, uint64_t run_start_ns);
/* Call it for every child that has ended. Returns true if the child was the command. */
bool trigger_child_ended(struct trigger *t, int pid, int status);
/* Kills the command and waits for it, if it still runs. */
void trigger_kill(struct trigger *t);
/* Writes the reason if the command failed. Returns whether it failed. */
bool trigger_failed(const struct trigger *t, char *why, size_t size);

#endif
