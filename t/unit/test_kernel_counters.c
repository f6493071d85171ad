/* kernel_counters: does it read counters from files written by hand? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel_counters.h"
#include "sysfs.h"

static char root[] = "/tmp/fiord-kernel_counters.XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/%s", root, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int make(void **state)
{
	char path[256];

	(void)state;
	if (!mkdtemp(root))
		return -1;
	snprintf(path, sizeof(path), "%s/proc", root);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/proc/net", root);
	mkdir(path, 0755);
	sysfs_root = root;
	return 0;
}

static int unmake(void **state)
{
	static const char *const names[] = { "proc/stat", "proc/net/snmp", "proc/net/snmp6",
					     "proc/net",  "proc",          "" };
	char path[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, names[i]);
		remove(path);
	}
	sysfs_root = "";
	return 0;
}

static void test_counts(void **state)
{
	struct kernel_counters from, now, s;

	(void)state;
	kernel_counters_read(&from);
	assert_false(from.known[KERN_FORKS]);
	assert_false(from.known[KERN_TCP_SENT]);
	put("stat", "cpu  1 2 3\nintr 5\nprocesses 100\n");
	put("net/snmp", "Ip: A B\nIp: 1 2\nTcp: MaxConn ActiveOpens InSegs OutSegs\nTcp: -1 3 40 50\n"
			"Udp: InDatagrams OutDatagrams\nUdp: 6 7\n");
	put("net/snmp6", "Ip6InReceives 9\nUdp6InDatagrams 10\nUdp6OutDatagrams 20\n");
	kernel_counters_read(&from);
	put("stat", "processes 142\n");
	put("net/snmp", "Tcp: ActiveOpens OutSegs\nTcp: 5 51\nUdp: InDatagrams OutDatagrams\nUdp: 7 9\n");
	kernel_counters_read(&now);
	s = kernel_counters_since(&from, &now);
	assert_int_equal(s.v[KERN_FORKS], 42);
	assert_int_equal(s.v[KERN_TCP_CONNECTS], 2);
	assert_int_equal(s.v[KERN_TCP_SENT], 1);
	assert_false(s.known[KERN_TCP_RECEIVED]);
	assert_int_equal(s.v[KERN_UDP_RECEIVED], 1);
	assert_int_equal(s.v[KERN_UDP_SENT], 2);
	assert_true(s.known[KERN_UDP_SENT]);
}

int unit_kernel_counters(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts) };

	return cmocka_run_group_tests(tests, make, unmake);
}
