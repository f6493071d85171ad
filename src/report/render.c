#include "render.h"

#include <errno.h>
#include "report.h"

int render(unsigned formats, unsigned terse_version, const struct result *res, struct strbuf *out)
{
	int ret = 0;

	if (formats & OUT_TERSE)
		ret = report_terse(res, terse_version, out);
	if (!ret && formats & OUT_JSON)
		ret = report_json(res, out);
	if (!ret && formats & OUT_NORMAL)
		ret = report_normal(res, out);
	if (!ret && formats & OUT_DISKSPD)
		ret = report_diskspd(res, out);
	if (!ret && formats & OUT_DISKSPD_XML)
		ret = report_diskspd_xml(res, out);
	return ret ? ret : out->failed ? -ENOMEM : 0;
}
