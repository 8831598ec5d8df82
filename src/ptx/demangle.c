#include "ptx/ptx.h"

#include <stdio.h>

char *ptx_demangle(const char *name, char *text, size_t size)
{
    snprintf(text, size, "%s", name);
    return text;
}
