// Times in a report: measured side by side, modelled, published.
#ifndef BANKSHOT_GRADE_REPORT_SPEED_H
#define BANKSHOT_GRADE_REPORT_SPEED_H

#include "base/page.h"
#include "grade/grading.h"

void report_speed(const struct grade_report *report, const struct lesson *lesson, bool all, struct page *page);
// The prediction of a record: time, occupancy, where the time goes, what would help. Nothing when there is none.
void report_model(const struct record *record, struct page *page);
// How far the modelled time is from the measured one of the same launch, in per cent; 0 when one is not there.
double report_percent_off(const struct record *record, double measured_us);
// A line that says so; device: the GPU that measured.
void report_distance(const struct record *record, double measured_us, const char *device, struct page *page);
json_t *report_model_json(const void *record); // a struct record; null when there is none

#endif
