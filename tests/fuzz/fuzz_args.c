// Argument specs as `trace --arg` takes them.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/args.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { MAX_SPEC = 400, MAX_COUNT_DIGITS = 6 };

// Large buffers are valid and slow; the rule about them is tested elsewhere.
static int is_small(const char *spec)
{
    size_t run = 0;
    for (; *spec; spec++) {
        run = (*spec >= '0' && *spec <= '9') || *spec == '*' ? run + 1 : 0;
        if (run > MAX_COUNT_DIGITS)
            return 0;
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    char spec[MAX_SPEC + 1];
    struct device_arg arg;
    struct diagnostic diagnostic = {0};
    if (size > MAX_SPEC)
        return 0;
    memcpy(spec, data, size);
    spec[size] = '\0';
    if (!is_small(spec) || strchr(spec, '@'))
        return 0;
    if (args_parse(spec, &arg, &diagnostic) == STATUS_OK) {
        struct text value = {0};
        args_format(arg.type, arg.is_buffer ? arg.data : (void *)&arg.scalar, &value);
        if (!value.length)
            abort();
        text_free(&value);
        args_free(&arg);
    } else if (!diagnostic.message[0]) {
        abort();
    }
    return 0;
}
