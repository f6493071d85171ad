#include "text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *text_time(char buf[], size_t size, uint64_t ms)
{
	time_t t = (time_t)(ms / 1000);
	char text[TEXT_TIME] = "";
	struct tm tm;

	if (localtime_r(&t, &tm) && asctime_r(&tm, text))
		text[strcspn(text, "\n")] = '\0';
	snprintf(buf, size, "%s", text);
	return buf;
}
