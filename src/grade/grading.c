// What verdicts are called and stand for, and what a report says of itself.
#include "grade/grading.h"

#include <math.h>
#include <stdio.h>

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
#define V(name, text, exit_status) text,
#include "grade/verdicts.def"
#undef V
    };
    return verdict < VERDICT_COUNT ? names[verdict] : "unknown";
}

int verdict_exit(enum verdict verdict)
{
    static const int statuses[] = {
#define V(name, text, exit_status) exit_status,
#include "grade/verdicts.def"
#undef V
    };
    return verdict < VERDICT_COUNT ? statuses[verdict] : 2;
}

enum verdict verdict_for(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return VERDICT_PASS;
    case STATUS_COMPILE:
        return VERDICT_COMPILE_ERROR;
    case STATUS_LAUNCH:
    case STATUS_UNSUPPORTED: // the kernel wants what this device does not have
        return VERDICT_LAUNCH_ERROR;
    case STATUS_FAULT:
        return VERDICT_FAIL;
    case STATUS_TIMEOUT:
        return VERDICT_TIMEOUT;
    case STATUS_CRASH:
        return VERDICT_CRASH;
    default:
        return VERDICT_INFRASTRUCTURE;
    }
}

char *grade_number(double value, char text[32])
{
    bool is_whole = value == floor(value) && fabs(value) < 1e15;
    snprintf(text, 32, isnan(value) ? "NaN" : is_whole ? "%.0f" : "%.9g", value);
    return text;
}

bool grade_edge_only(const struct grade_report *report)
{
    bool only = true;
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        only &= !size->ran || size->status || size->correct || size->mismatch.partial_only;
    }
    return only;
}
