// The judge: from what the runs gave to gates, diagnosis, score and verdict. Pure: no run, no file, no clock.
#ifndef BANKSHOT_GRADE_JUDGE_H
#define BANKSHOT_GRADE_JUDGE_H

#include "grade/facts.h"

// Fills verdict, full, score, diagnosis, next and gates of the report; sizes are there already.
void judge(const struct judge_facts *facts, struct grade_report *report);

#endif
