/* thread_cpu.h: the CPU time of another thread of this process. */
#ifndef THREAD_CPU_H
#define THREAD_CPU_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

/* Adds the CPU time of a thread so far, in microseconds. The total is exact; its division into user and
   system time follows the kernel's ticks. */
void thread_cpu_add(pthread_t thread, pid_t tid, uint64_t *user_us, uint64_t *sys_us);

#endif
