// Names of the Itanium C++ ABI as people write them, read by libiberty, which reads them for c++filt and gdb too.
// Return types are left out, and so are the marks that compilers put on copies of a function and on its file.
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif

enum {
    LONGEST_NAME = 1024, // libiberty's own limit: it puts what it reads on the stack
    LONGEST_TEXT = 4096  // names that refer to themselves can grow exponentially
};

struct spelled_name {
    char text[LONGEST_TEXT];
    size_t length;
    jmp_buf too_long;
};

// libiberty has no other way to stop; nothing that it holds by then is on the heap.
static void append_spelling(const char *part, size_t length, void *to)
{
    struct spelled_name *name = to;
    if (length >= sizeof name->text - name->length)
        longjmp(name->too_long, 1);
    memcpy(name->text + name->length, part, length);
    name->length += length;
}

// Without the namespace that nvcc makes of a file's name, and with ">>" as C++ has it since 2011.
static void shorten_spelling(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const char *scope = !strncmp(at, "_INTERNAL_", 10) ? strstr(at, "::") : NULL;
        if (scope)
            at = scope + 2;
        else if (!strncmp(at, " >", 2) && to > text && to[-1] == '>')
            at++;
        else
            *to++ = *at++;
    }
    *to = '\0';
}

char *ptx_demangle(const char *name, char *text, size_t size)
{
    enum { OPTIONS = DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP };
    struct spelled_name spelled;
    char plain[LONGEST_NAME];
    spelled.length = 0;
    snprintf(text, size, "%s", name);
    size_t length = strncmp(name, "_Z", 2) ? LONGEST_NAME : strnlen(name, LONGEST_NAME);
    if (length == LONGEST_NAME)
        return text;
    size_t marked = strcspn(name, ".$"); // what compilers append
    if (marked < length)
        length = name[marked] == '$' && name[marked - 1] == '_' ? marked - 1 : marked;
    snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    if (setjmp(spelled.too_long) || !cplus_demangle_v3_callback(plain, OPTIONS, append_spelling, &spelled))
        return text;
    spelled.text[spelled.length] = '\0';
    shorten_spelling(spelled.text);
    snprintf(text, size, "%s", spelled.text);
    return text;
}

char *ptx_short_name(const char *name, char *text, size_t size)
{
    char whole[LONGEST_TEXT];
    const char *last = ptx_demangle(name, whole, sizeof whole);
    int depth = 0;
    for (const char *at = whole; *at; at++) {
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    snprintf(text, size, "%s", last);
    return text;
}
