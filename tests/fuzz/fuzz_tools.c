// What other tools print: mangled names, ncu's CSV, ptxas' listing. The first byte chooses the reader.
#include <stdlib.h>
#include <string.h>

#include "device/ncu.h"
#include "ptx/ptx.h"
#include "toolchain/ptxas.c" // for parse_listing

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    char name[64];
    struct counters counters;
    struct device_resources resources;
    if (!size)
        return 0;
    char *text = mem_strndup((const char *)data + 1, size - 1);
    if (data[0] % 3 == 0) {
        if (strlen(ptx_demangle(text, name, data[0] % 2 ? sizeof name : 8)) >= sizeof name)
            abort();
    } else if (data[0] % 3 == 1) {
        ncu_read_csv(text, "k", &counters);
    } else if (parse_listing(text, "k", &resources) && resources.registers == 0) {
        abort();
    }
    free(text);
    return 0;
}
