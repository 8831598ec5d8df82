// Why a run failed, in one name and one message.
#ifndef BANKSHOT_GRADE_DIAGNOSE_H
#define BANKSHOT_GRADE_DIAGNOSE_H

#include "grade/facts.h"

// Fills the report's diagnosis and next; its gates are judged.
void diagnose_failure(const struct judge_facts *facts, struct grade_report *report);

#endif
