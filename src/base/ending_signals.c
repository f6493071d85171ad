#include "ending_signals.h"

#include <time.h>

void ending_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
	struct sigaction sa;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (!sigaction(signals[i], NULL, &sa) && sa.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
	}
}

void ending_signals_release(void)
{
	const struct timespec now = { 0 };
	sigset_t set;

	ending_signals(&set);
	while (sigtimedwait(&set, NULL, &now) > 0)
		;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
