/* thread_cpu.h: the CPU time of other threads of this process. */
#ifndef THREAD_CPU_H
#define THREAD_CPU_H

#include <stdint.h>
#include <sys/types.h>

/* Returns the CPU time of a thread so far; 0 if there is none with this id. */
uint64_t thread_cpu_ns(pid_t tid);
/* Returns the CPU time of the process so far, with threads that have ended. */
uint64_t thread_cpu_process_ns(void);
/* Reads a thread's ticks in user mode and in the kernel. */
void thread_cpu_ticks(pid_t tid, uint64_t *user, uint64_t *sys);
/* Adds the CPU time of a thread so far, in microseconds. The total is exact; its division into user and
   system time follows the kernel's ticks. */
void thread_cpu_add(pid_t tid, uint64_t *user_us, uint64_t *sys_us);

#endif
