// Reports as a worker sends them: read the JSON, write it in every format, read that again.
#include <stdlib.h>

#include "grade/report.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void print(struct grade_report *report)
{
    struct text text = {0};
    report_text(report, NULL, REPORT_ALL, &text);
    report_line(report, "fuzz", &text);
    report_junit(&report, 1, &text);
    report_html(report, NULL, &text);
    json_decref(report_gradescope(&report, 1));
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct grade_report *report = NULL, *again = NULL;
    struct diagnostic diagnostic = {0};
    json_t *json = json_loadb((const char *)data, size, 0, NULL);
    if (!json)
        return 0;
    if (grade_report_read(json, &report, &diagnostic) == STATUS_OK) {
        print(report);
        json_t *written = grade_report_json_packed(report);
        if (grade_report_read(written, &again, &diagnostic) != STATUS_OK)
            abort();
        json_decref(written);
        grade_report_free(again);
        grade_report_free(report);
    } else if (!diagnostic.message[0]) {
        abort();
    }
    json_decref(json);
    return 0;
}
