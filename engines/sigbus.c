#include "engine_parts.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* The mapped range that this thread is copying; lo 0: none. */
static _Thread_local struct {
	sigjmp_buf env;
	volatile uintptr_t lo, hi;
} guard;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction old_action;

/* Acts as if this handler did not exist: the failed instruction runs and fails again, or the signal is
   sent again. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	if (old_action.sa_flags & SA_SIGINFO) {
		old_action.sa_sigaction(sig, info, context);
	} else if (old_action.sa_handler != SIG_DFL && old_action.sa_handler != SIG_IGN) {
		old_action.sa_handler(sig);
	} else if (old_action.sa_handler == SIG_DFL || info->si_code > 0) {
		signal(sig, SIG_DFL);
		if (info->si_code <= 0)
			raise(sig);
	}
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	if (info->si_code > 0 && at >= guard.lo && at < guard.hi) {
		guard.lo = guard.hi = 0;
		siglongjmp(guard.env, 1);
	}
	pass_on(sig, info, context);
}

/* The handler ends with a jump. With SA_NODEFER the jump has no signal mask to restore; without it each copy
   would need a system call to save the mask. */
int sigbus_init(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_NODEFER }, now;
	int ret;

	pthread_mutex_lock(&lock);
	ret = sigaction(SIGBUS, NULL, &now);
	if (!ret && !(now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_sigbus)) {
		old_action = now;
		ret = sigaction(SIGBUS, &sa, NULL);
	}
	if (ret)
		ret = -errno;
	pthread_mutex_unlock(&lock);
	return ret;
}

bool sigbus_copy(void *to, const void *from, const void *mapped, size_t n)
{
	if (sigsetjmp(guard.env, 0))
		return false;
	guard.hi = (uintptr_t)mapped + n;
	/* On s390x the kernel gives the address of the page that faulted, not of the byte. */
	guard.lo = (uintptr_t)mapped & ~(uintptr_t)4095;
	atomic_signal_fence(memory_order_seq_cst);
	memcpy(to, from, n);
	atomic_signal_fence(memory_order_seq_cst);
	guard.lo = guard.hi = 0;
	return true;
}
