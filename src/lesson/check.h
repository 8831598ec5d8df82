// What the loader checks beyond types: expressions, names and values that must fit together. Each fails with the line
// of the setting.
#ifndef BANKSHOT_LESSON_CHECK_H
#define BANKSHOT_LESSON_CHECK_H

#include "lesson/lesson.h"
#include "lesson/settings.h"

enum { CHECK_MAX_ELEMENTS = 1 << 28 }; // of one buffer

enum status check_part(const struct settings_reader *reader, const config_setting_t *setting,
                       const struct lesson_part *part);
// Parts must be loaded, for the names of sizes and arguments.
typedef enum status check_item(const struct settings_reader *reader, const config_setting_t *setting,
                               const struct lesson *lesson, const void *item);
check_item check_gate, check_diagnosis, check_question, check_mutant; // of a struct lesson_gate and so on
enum status check_metric(const struct settings_reader *reader, const config_setting_t *setting,
                         const struct lesson *lesson);
// A diagnosis that can happen: of the lesson, a gate's id, a hazard's name or one that every lesson has.
enum status check_diagnosis_name(const struct settings_reader *reader, const config_setting_t *setting,
                                 const struct lesson *lesson, const char *name);

#endif
