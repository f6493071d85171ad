/* Are XML profiles read, written again without a change, and refused with their line? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "strbuf.h"
#include "profile_xml.h"

static int read_text(struct ds_profile *p, const char *text, struct diag *d)
{
	return ds_xmlread(p, "p.xml", text, strlen(text), DS_DIALECT_23, d);
}

#define HEAD "<Profile>\n<TimeSpans>\n<TimeSpan>\n<Targets>\n<Target>\n<Path>a.dat</Path>\n"
#define TAIL "</Target></Targets></TimeSpan></TimeSpans></Profile>"

static void test_defaults(void **state)
{
	struct ds_profile p;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(read_text(&p, HEAD TAIL, &d), 0);
	assert_int_equal(p.nspans, 1);
	assert_int_equal(p.spans->duration_s, 10);
	assert_int_equal(p.spans->ntargets, 1);
	assert_string_equal(p.spans->targets->path, "a.dat");
	assert_int_equal(p.spans->targets->block, 65536);
	assert_int_equal(p.spans->targets->depth, 2);
	ds_profile_fini(&p);
	/* Valid in DISKSPD's schema; a run fails to open it. */
	assert_int_equal(
		read_text(&p, "<Profile><TimeSpans><TimeSpan><Targets><Target><Path> </Path>" TAIL, &d), 0);
	assert_string_equal(p.spans->targets->path, "");
	ds_profile_fini(&p);
}

/* The elements of one target, and their text when they are written again. */
static const struct {
	const char *xml, *written;
} targets[] = {
	{ "<BlockSize> 4096\n</BlockSize>", "<BlockSize>4096</BlockSize>" },
	{ "<Random>8192</Random>", "<Random>8192</Random>" },
	{ "<Random>8192</Random><RandomRatio>30</RandomRatio>", "<RandomRatio>30</RandomRatio>" },
	{ "<RandomRatio>30</RandomRatio>", "<Random>65536</Random>" },
	{ "<Random>0</Random>", "<Random>65536</Random>" },
	{ "<StrideSize>0</StrideSize>", "<StrideSize>65536</StrideSize>" },
	{ "<StrideSize>512</StrideSize><InterlockedSequential>1</InterlockedSequential>",
	  "<InterlockedSequential>true</InterlockedSequential>" },
	{ "<DisableAllCache>true</DisableAllCache>", "<DisableOSCache>true</DisableOSCache>" },
	{ "<DisableAllCache>true</DisableAllCache>", "<WriteThrough>true</WriteThrough>" },
	{ "<WriteThrough>false</WriteThrough><DisableAllCache>true</DisableAllCache>",
	  "<WriteThrough>true</WriteThrough>" },
	{ "<DisableLocalCache>true</DisableLocalCache>", "<DisableLocalCache>true</DisableLocalCache>" },
	{ "<MemoryMappedIo>true</MemoryMappedIo><FlushType>NonVolatileMemoryNoDrain</FlushType>",
	  "<FlushType>NonVolatileMemoryNoDrain</FlushType>" },
	{ "<Throughput>7</Throughput>", "<Throughput>7</Throughput>" },
	{ "<Throughput unit=\"BPMS\">7</Throughput>", "<Throughput>7</Throughput>" },
	{ "<Throughput unit='IOPS'>7</Throughput>", "<Throughput unit=\"IOPS\">7</Throughput>" },
	{ "<BurstSize>0</BurstSize>", "<ParallelAsyncIO>false</ParallelAsyncIO>\n          <StrideSize>" },
	{ "<ThinkTime>0</ThinkTime>", "<ParallelAsyncIO>false</ParallelAsyncIO>\n          <StrideSize>" },
	{ "<ThinkTime>5</ThinkTime><BurstSize>0</BurstSize>", "<BurstSize>0</BurstSize>" },
	{ "<ThinkTime>9</ThinkTime>", "<ThinkTime>9</ThinkTime>" },
	{ "<IOPriority>1</IOPriority>", "<IOPriority>1</IOPriority>" },
	{ "<IOPriority>0</IOPriority>", "<IOPriority>0</IOPriority>" },
	{ "<Weight>5</Weight>", "<Weight>5</Weight>" },
	{ "<ThreadTargets><ThreadTarget><Thread>3</Thread><Weight>8</Weight></ThreadTarget></ThreadTargets>",
	  "<Thread>3</Thread>" },
	{ "<WriteBufferContent><Pattern>zero</Pattern></WriteBufferContent>", "<Pattern>zero</Pattern>" },
	{ "<WriteBufferContent><RandomDataSource><FilePath>x&amp;y</FilePath><SizeInBytes>5</SizeInBytes>"
	  "</RandomDataSource><Pattern>random</Pattern></WriteBufferContent>",
	  "<FilePath>x&amp;y</FilePath>" },
	{ "<WriteBufferContent><Pattern>zero</Pattern><RandomDataSource><SizeInBytes>5</SizeInBytes>"
	  "</RandomDataSource></WriteBufferContent>",
	  "<Pattern>zero</Pattern>" },
	{ "<Distribution><Percent><Range IO=\"90\">10</Range><Range IO=\"10\">90</Range></Percent>"
	  "</Distribution>",
	  "<Range IO=\"90\">10</Range>" },
	{ "<Distribution><Absolute><Range IO=\"90\">1048576</Range><Range IO=\"10\">0</Range></Absolute>"
	  "</Distribution>",
	  "<Range IO=\"10\">0</Range>" },
	{ "<MaxFileSize>18446744073709551615</MaxFileSize>",
	  "<MaxFileSize>18446744073709551615</MaxFileSize>" },
	{ "<BypassIO>Full</BypassIO>", "<BypassIO>Full</BypassIO>" },
	{ "<!-- a comment --><BaseFileOffset><![CDATA[77]]></BaseFileOffset>",
	  "<BaseFileOffset>77</BaseFileOffset>" },
};

static char *written(const struct ds_profile *p)
{
	struct strbuf b = { 0 };

	ds_xmlwrite(p, 0, &b);
	assert_false(b.failed);
	return b.text;
}

/* A written profile is read as the same profile. */
static void check_stable(const char *text)
{
	struct ds_profile p;
	struct diag d = { 0 };
	char *again;

	assert_int_equal(ds_xmlread(&p, "again.xml", text, strlen(text), DS_DIALECT_23, &d), 0);
	again = written(&p);
	assert_string_equal(again, text);
	free(again);
	ds_profile_fini(&p);
}

static void check_accepted(const char *xml, const char *want)
{
	struct ds_profile p;
	struct diag d = { 0 };
	char *text;

	if (read_text(&p, xml, &d))
		fail_msg("%s: %s", xml, diag_text(&d));
	text = written(&p);
	if (!strstr(text, want))
		fail_msg("%s: no %s in\n%s", xml, want, text);
	check_stable(text);
	free(text);
	ds_profile_fini(&p);
}

static void test_targets(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		struct strbuf b = { 0 };

		strbuf_printf(&b, "%s%s%s", HEAD, targets[i].xml, TAIL);
		check_accepted(strbuf_str(&b), targets[i].written);
		strbuf_fini(&b);
	}
}

#define SPAN_HEAD "<Profile><TimeSpans><TimeSpan>"
#define SPAN_TAIL "<Targets><Target><Path>x</Path></Target></Targets></TimeSpan></TimeSpans></Profile>"

static const struct {
	const char *xml, *written;
} spans[] = {
	{ "<Duration>0</Duration>", "<Duration>0</Duration>" },
	{ "<RandSeed>4711</RandSeed>", "<RandSeed>4711</RandSeed>" },
	{ "<GroupAffinity>true</GroupAffinity>", "<Duration>10</Duration>" },
	{ "<DisableAffinity>true</DisableAffinity>", "<DisableAffinity>true</DisableAffinity>" },
	{ "<Affinity><AffinityAssignment>7</AffinityAssignment></Affinity>", "Group=\"0\" Processor=\"7\"" },
	{ "<Affinity><AffinityGroupAssignment Processor='255' Group='65535'/></Affinity>",
	  "Group=\"65535\" Processor=\"255\"" },
	{ "<Affinity><Group Group='2' Mask='0xA0'/></Affinity>", "Group=\"2\" Processor=\"7\"" },
	{ "<Affinity><Group Group='2' Mask='0xffffffffffffffff'/></Affinity>",
	  "<Group Group=\"2\" Mask=\"0xffffffffffffffff\"/>" },
	{ "<IoRing/>", "<IoRingBatchSize Percent=\"true\">25</IoRingBatchSize>" },
	{ "<IoRing><UseRegBuffer>false</UseRegBuffer><IoRingBatchSize>8</IoRingBatchSize></IoRing>",
	  "<IoRingBatchSize>8</IoRingBatchSize>" },
	{ "<AffinityTraversal Group=\"Span\" Efficiency=\"EFirst\">Core</AffinityTraversal>",
	  "<AffinityTraversal Group=\"Span\" Efficiency=\"EFirst\">Core</AffinityTraversal>" },
	{ "<BufferSeparation>SystemDefault</BufferSeparation>",
	  "<BufferSeparation>SystemDefault</BufferSeparation>" },
	{ "<CompletionDepth>3</CompletionDepth>", "<CompletionDepth>3</CompletionDepth>" },
};

static void test_spans(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		struct strbuf b = { 0 };

		strbuf_printf(&b, "%s%s%s", SPAN_HEAD, spans[i].xml, SPAN_TAIL);
		check_accepted(strbuf_str(&b), spans[i].written);
		strbuf_fini(&b);
	}
}

static const struct {
	const char *xml, *error;
} refused[] = {
	/* The whole profile. */
	{ "", "p.xml:1: not XML: no element found" },
	{ "nonsense", "p.xml:1: not XML: syntax error" },
	{ "<Profile>\n<TimeSpans>", "p.xml:2: not XML: no element found" },
	{ "<Results>\n", "p.xml:1: <Results>: this is a result of DISKSPD" },
	{ "<Foo/>", "p.xml:1: <Foo>: a profile must begin with <Profile>" },
	{ "<?xml version='1.0' encoding='koi8-r'?><Profile/>",
	  "p.xml:1: unknown encoding; save it as UTF-8 or UTF-16" },
	/* Missing elements. */
	{ "<Profile/>", "p.xml:1: <Profile>: needs a <TimeSpans>" },
	{ "<Profile>\n<TimeSpans/></Profile>", "p.xml:2: <TimeSpans>: needs a <TimeSpan>" },
	{ "<Profile>\n<TimeSpans>\n<TimeSpan>\n</TimeSpan></TimeSpans></Profile>",
	  "p.xml:3: <TimeSpan>: needs a <Targets>" },
	{ "<Profile><TimeSpans><TimeSpan>\n<Targets/></TimeSpan></TimeSpans></Profile>",
	  "p.xml:2: <Targets>: needs a <Target>" },
	{ "<Profile><TimeSpans><TimeSpan><Targets>\n<Target></Target></Targets></TimeSpan></TimeSpans></"
	  "Profile>",
	  "p.xml:2: <Target>: needs a <Path>" },
	/* Place and number of elements. */
	{ "<Profile>\n<Duration>3</Duration></Profile>",
	  "p.xml:2: <Duration>: not an element of <Profile>, which may have <TimeSpans>, <Verbose>," },
	{ HEAD "<Bogus/>" TAIL,
	  "p.xml:7: <Bogus>: not an element of <Target>, which may have <Path>, <BlockSize>," },
	{ HEAD "<BlockSize>1</BlockSize>\n<BlockSize>1</BlockSize>" TAIL,
	  "p.xml:8: <BlockSize>: the second one in this <Target>; the first is on line 7" },
	{ HEAD "<BlockSize><KiB>4</KiB></BlockSize>" TAIL,
	  "p.xml:7: <KiB> in <BlockSize>, which may only have text" },
	{ HEAD "4096" TAIL, "p.xml:7: '4096' in <Target>, which may only have elements" },
	{ HEAD "<BlockSize unit='k'>4</BlockSize>" TAIL,
	  "p.xml:7: <BlockSize unit=...>: <BlockSize> has no such attribute" },
	/* Types. */
	{ HEAD "<BlockSize>4k</BlockSize>" TAIL,
	  "p.xml:7: <BlockSize>4k</BlockSize>: a whole number from 0 to 4294967295" },
	{ HEAD "<BlockSize></BlockSize>" TAIL, "p.xml:7: <BlockSize></BlockSize>: a whole number" },
	{ HEAD "<BlockSize>-1</BlockSize>" TAIL, "p.xml:7: <BlockSize>-1</BlockSize>: a whole number" },
	{ HEAD "<BlockSize>4 096</BlockSize>" TAIL, "p.xml:7: <BlockSize>4 096</BlockSize>: a whole number" },
	{ HEAD "<MaxFileSize>18446744073709551616</MaxFileSize>" TAIL, "p.xml:7: <MaxFileSize>" },
	{ HEAD "<WriteRatio>101</WriteRatio>" TAIL,
	  "p.xml:7: <WriteRatio>101</WriteRatio>: a whole number from 0 to 100" },
	{ HEAD "<RandomRatio>0</RandomRatio>" TAIL,
	  "p.xml:7: <RandomRatio>0</RandomRatio>: a whole number from 1 to 99; " },
	{ HEAD "<RandomRatio>100</RandomRatio>" TAIL, "p.xml:7: <RandomRatio>100</RandomRatio>: " },
	{ HEAD "<RandomRatio>-1</RandomRatio>" TAIL, "p.xml:7: <RandomRatio>-1</RandomRatio>: " },
	{ HEAD "<RandomRatio>101</RandomRatio>" TAIL, "p.xml:7: <RandomRatio>101</RandomRatio>: " },
	{ HEAD "<BlockSize>4\n0</BlockSize>" TAIL, "p.xml:8: <BlockSize>4?0</BlockSize>: a whole number" },
	{ HEAD "<ParallelAsyncIO>yes</ParallelAsyncIO>" TAIL,
	  "p.xml:7: <ParallelAsyncIO>yes</ParallelAsyncIO>: true or false" },
	{ HEAD "<FlushType>View</FlushType>" TAIL, "p.xml:7: <FlushType>View</FlushType>: ViewOfFile, "
						   "NonVolatileMemory or NonVolatileMemoryNoDrain" },
	{ HEAD "<FlushType/>" TAIL, "p.xml:7: <FlushType></FlushType>: ViewOfFile, " },
	{ HEAD "<IOPriority>4</IOPriority>" TAIL, "p.xml:7: <IOPriority>4</IOPriority>: " },
	{ HEAD "<Throughput unit='MBPS'>4</Throughput>" TAIL,
	  "p.xml:7: <Throughput>4</Throughput>: unit=\"MBPS\": BPMS or IOPS" },
	{ HEAD "<Throughput unit='iops'>4</Throughput>" TAIL, "unit=\"iops\": BPMS or IOPS" },
	{ "<Profile><ResultFormat>json</ResultFormat></Profile>",
	  "p.xml:1: <ResultFormat>json</ResultFormat>: text or xml" },
	{ "<Profile><PrecreateFiles>yes</PrecreateFiles></Profile>",
	  "p.xml:1: <PrecreateFiles>yes</PrecreateFiles>: UseMaxSize, " },
	/* Combinations. */
	{ HEAD "<StrideSize>1</StrideSize><Random>1</Random>" TAIL,
	  "p.xml:5: <Target>: <StrideSize> is for sequential I/O" },
	{ HEAD "<RandomRatio>5</RandomRatio><StrideSize>1</StrideSize>" TAIL,
	  "p.xml:5: <Target>: <StrideSize> is for sequential I/O" },
	{ HEAD "<DisableOSCache>true</DisableOSCache><DisableLocalCache>true</DisableLocalCache>" TAIL,
	  "p.xml:5: <Target>: <DisableOSCache> and <DisableLocalCache>" },
	{ HEAD "<WriteBufferContent><Pattern>random</Pattern></WriteBufferContent>" TAIL,
	  "p.xml:7: <WriteBufferContent>: <Pattern>random</Pattern> needs a <RandomDataSource>" },
	{ HEAD "<WriteBufferContent/>" TAIL, "p.xml:7: <WriteBufferContent>: needs a <Pattern>" },
	/* Distributions. */
	{ HEAD "<Distribution/>" TAIL, "p.xml:7: <Distribution>: needs a <Percent> or an <Absolute>" },
	{ HEAD "<Distribution><Percent/></Distribution>" TAIL, "p.xml:7: <Percent>: needs a <Range>" },
	{ HEAD "<Distribution><Percent><Range IO='100'>100</Range></Percent>\n<Absolute><Range IO='100'>4096"
	       "</Range></Absolute></Distribution>" TAIL,
	  "p.xml:8: <Absolute>: a <Distribution> has either <Percent> or <Absolute>" },
	{ HEAD "<Distribution><Percent><Range IO='10'>0</Range></Percent></Distribution>" TAIL,
	  "p.xml:7: <Range>0</Range>: a whole number from 1 to 100" },
	{ HEAD "<Distribution><Percent><Range IO='10'>101</Range></Percent></Distribution>" TAIL,
	  "p.xml:7: <Range>101</Range>: a whole number from 1 to 100" },
	{ HEAD "<Distribution><Percent><Range>10</Range></Percent></Distribution>" TAIL,
	  "p.xml:7: <Range>: needs the attribute IO" },
	{ HEAD "<Distribution><Percent><Range IO='101'>10</Range></Percent></Distribution>" TAIL,
	  "p.xml:7: <Range>10</Range>: IO=\"101\": a whole number from 0 to 100" },
	{ HEAD "<Distribution><Absolute><Range IO='50'>0</Range><Range IO='50'>4096</Range></Absolute>"
	       "</Distribution>" TAIL,
	  "p.xml:7: <Absolute>: only its last <Range> may be 0" },
	{ HEAD "<Distribution><Absolute><Range IO='50'>4096</Range><Range IO='40'>0</Range></Absolute>"
	       "</Distribution>" TAIL,
	  "p.xml:7: <Absolute>: its last <Range> is 0 (the rest of the target), so the shares of the I/O "
	  "must" },
	/* Processors and threads. */
	{ SPAN_HEAD "<Affinity><AffinityAssignment>256</AffinityAssignment></Affinity>" SPAN_TAIL,
	  "<AffinityAssignment>256</AffinityAssignment>: a whole number from 0 to 255" },
	{ SPAN_HEAD "<Affinity><AffinityGroupAssignment Group='0' Processor='256'/></Affinity>" SPAN_TAIL,
	  "Processor=\"256\": a whole number from 0 to 255" },
	{ SPAN_HEAD "<Affinity><AffinityGroupAssignment Group='65536' Processor='0'/></Affinity>" SPAN_TAIL,
	  "Group=\"65536\": a whole number from 0 to 65535" },
	{ SPAN_HEAD "<Affinity><AffinityGroupAssignment Group='0'/></Affinity>" SPAN_TAIL,
	  "<AffinityGroupAssignment>: needs the attribute Processor" },
	{ SPAN_HEAD "<Affinity><Group Group='0' Mask='0x1g'/></Affinity>" SPAN_TAIL, "Mask=\"0x1g\": " },
	{ SPAN_HEAD "<Affinity><Group Group='0' Mask='0'/></Affinity>" SPAN_TAIL, "Mask=\"0\": " },
	{ HEAD "<ThreadTargets><ThreadTarget><Weight>1</Weight></ThreadTarget></ThreadTargets>" TAIL,
	  "p.xml:7: <ThreadTarget>: needs a <Thread>" },
	{ SPAN_HEAD "<CompletionDepth>17</CompletionDepth>" SPAN_TAIL, "a whole number from 1 to 16" },
	/* Templates. */
	{ "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>*</Path>" TAIL,
	  "<Path>*</Path>: a template" },
	{ "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>*foo</Path>" TAIL,
	  "<Path>*foo</Path>: a temp" },
	{ "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>*1foo</Path>" TAIL, "<Path>*1foo</Path>: " },
	{ "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>**1</Path>" TAIL,
	  "<Path>**1</Path>: a templ" },
	{ "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>*-1</Path>" TAIL,
	  "<Path>*-1</Path>: a templ" },
	/* Entities and text outside of the root. */
	{ "<!DOCTYPE Profile>\n<Profile/>",
	  "p.xml:1: <!DOCTYPE Profile>: a profile must not declare document types" },
	{ "<!DOCTYPE p [\n<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><Profile>&b;</Profile>",
	  "p.xml:1: <!DOCTYPE p>: " },
	{ "<!DOCTYPE p SYSTEM 'file:///etc/passwd'><Profile/>", "p.xml:1: <!DOCTYPE p>: " },
	{ "<!DOCTYPE p [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><Profile>&x;</Profile>",
	  "p.xml:1: <!DOCTYPE p>: " },
	{ HEAD "<BlockSize>&x;</BlockSize>" TAIL, "p.xml:7: not XML: undefined entity" },
	{ "<Profile>\x01</Profile>", "p.xml:1: not XML: not well-formed" },
	{ "<Profile>\xff\xfe</Profile>", "p.xml:1: not XML: not well-formed" },
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct ds_profile p;
		struct diag d = { 0 };

		if (!read_text(&p, refused[i].xml, &d))
			fail_msg("accepted: %s", refused[i].xml);
		if (!strstr(diag_text(&d), refused[i].error))
			fail_msg("%s:\n'%s' has no\n'%s'", refused[i].xml, diag_text(&d), refused[i].error);
		diag_fini(&d);
		ds_profile_fini(&p);
	}
}

static void test_dialect(void **state)
{
	const char *text = SPAN_HEAD "<IoRing/>" SPAN_TAIL;
	struct ds_profile p;
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(ds_xmlread(&p, "p", text, strlen(text), DS_DIALECT_22, &d), -EINVAL);
	assert_string_equal(diag_text(&d), "p:1: <IoRing>: only DISKSPD 2.3 has it");
	diag_fini(&d);
	ds_profile_fini(&p);
}

/* Encodings of Windows tools. */
static void test_utf16(void **state)
{
	static const char *const ascii = "<?xml version=\"1.0\" encoding=\"utf-16\"?>\r\n" HEAD TAIL;

	(void)state;
	for (int big = 0; big < 2; big++) {
		struct strbuf b = { 0 };
		struct ds_profile p;
		struct diag d = { 0 };

		strbuf_add(&b, big ? "\xfe\xff" : "\xff\xfe", 2);
		for (const char *s = ascii; *s; s++) {
			char pair[2] = { big ? '\0' : *s, big ? *s : '\0' };

			strbuf_add(&b, pair, 2);
		}
		if (ds_xmlread(&p, "p", b.text, b.len, DS_DIALECT_23, &d))
			fail_msg("%s", diag_text(&d));
		assert_string_equal(p.spans->targets->path, "a.dat");
		ds_profile_fini(&p);
		strbuf_fini(&b);
	}
}

static void repeat(struct strbuf *b, const char *text, unsigned n)
{
	while (n--)
		strbuf_puts(b, text);
}

static void test_bounds(void **state)
{
	struct strbuf b = { 0 };
	struct ds_profile p;
	struct diag d = { 0 };

	(void)state;
	repeat(&b, "<Profile>", 100000);
	assert_int_equal(ds_xmlread(&p, "p", b.text, b.len, DS_DIALECT_23, &d), -EINVAL);
	ds_profile_fini(&p);
	diag_fini(&d);
	d = (struct diag){ 0 };
	repeat(&b, "          ", 1600000);
	assert_int_equal(ds_xmlread(&p, "p", b.text, b.len, DS_DIALECT_23, &d), -EFBIG);
	assert_non_null(strstr(diag_text(&d), "a profile may have at most 16777216"));
	diag_fini(&d);
	d = (struct diag){ 0 };
	strbuf_clear(&b);
	strbuf_puts(&b, "<Profile><TimeSpans><TimeSpan><Targets>");
	repeat(&b, "<Target><Path>x</Path></Target>", 8193);
	assert_int_equal(ds_xmlread(&p, "p", b.text, b.len, DS_DIALECT_23, &d), -EINVAL);
	assert_non_null(strstr(diag_text(&d), "<Target>: a profile may have at most 8192 of them"));
	ds_profile_fini(&p);
	diag_fini(&d);
	d = (struct diag){ 0 };
	strbuf_clear(&b);
	strbuf_puts(&b, "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>x</Path><ThreadTargets>");
	repeat(&b, "<ThreadTarget><Thread>0</Thread></ThreadTarget>", 16385);
	assert_int_equal(ds_xmlread(&p, "p", b.text, b.len, DS_DIALECT_23, &d), -EINVAL);
	assert_non_null(strstr(diag_text(&d), "<ThreadTarget>: a profile may have at most 16384 of them"));
	ds_profile_fini(&p);
	diag_fini(&d);
	d = (struct diag){ 0 };
	strbuf_clear(&b);
	strbuf_puts(&b, "<Profile><TimeSpans><TimeSpan><Targets><Target><Path>");
	repeat(&b, "0123456789", 7000);
	assert_int_equal(ds_xmlread(&p, "p", b.text, b.len, DS_DIALECT_23, &d), -EINVAL);
	assert_non_null(strstr(diag_text(&d), "<Path>: its text may have at most 65536 bytes"));
	diag_fini(&d);
	ds_profile_fini(&p);
	strbuf_fini(&b);
}

int unit_xmlread(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults), cmocka_unit_test(test_targets), cmocka_unit_test(test_spans),
		cmocka_unit_test(test_refused),  cmocka_unit_test(test_dialect), cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
