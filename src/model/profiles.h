// Profiles of GPUs that were measured: one libconfig file each, $XDG_DATA_HOME/bankshot/gpus/NAME.cfg (else
// ~/.local/share/bankshot/gpus), which can be copied to other machines.
#ifndef BANKSHOT_MODEL_PROFILES_H
#define BANKSHOT_MODEL_PROFILES_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "model/calibration.h"

enum { PROFILE_NAME = 64 };

// The built-in profile of that name (NULL: the default), else a measured one, which is read at its first use and lives
// as long as the process. USAGE: there is none; PARSE with file and line: it is damaged.
enum status profile_find(const char *name, const struct gpu_profile **profile, struct diagnostic *diagnostic);
// Where the profile of that name is, or would be; free() it. NULL: there is no home.
char *profile_path(const char *name);
// USAGE: no name for one: a built-in one's, or not letters, digits, blanks and "-_.".
enum status profile_check_name(const char *name, struct diagnostic *diagnostic);
// Names of the measured ones, sorted; free() each and the list.
size_t profile_names(char ***names);

// The file: what was derived, beside each constant the rows that it came from. about: a line on when and how.
void profile_text(const struct calibration *calibration, const char *about, struct text *text);
enum status profile_write(const char *path, const struct calibration *calibration, const char *about,
                          struct diagnostic *diagnostic);
// Strictly: unknown, missing and impossible values are told with their line. constants: what the file has none of is
// as in timing.def.
enum status profile_read(const char *path, struct gpu_profile *profile, struct replay_constants *constants,
                         struct diagnostic *diagnostic);

#endif
