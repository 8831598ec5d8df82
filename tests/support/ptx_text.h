// PTX for tests: from the files kept in tests/ptx/data, or written in place.
#ifndef BANKSHOT_TESTS_PTX_TEXT_H
#define BANKSHOT_TESTS_PTX_TEXT_H

#include "ptx/ptx.h"

extern const char *const ptx_data_files[]; // ends with NULL

// The whole file, terminated; fails the test if there is none. free() releases.
char *ptx_read_file(const char *path);
// Fails the test with the diagnostic if the text is refused.
struct ptx_module *ptx_parse_good(const char *name, const char *text);
// body in a module with one entry "k" without parameters: lines of body begin at line 6
struct ptx_module *ptx_parse_in_kernel(const char *body);

#endif
