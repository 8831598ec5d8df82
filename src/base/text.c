// The growing buffer, and the ways to escape what goes into it.
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/memory.h"

void text_append(struct text *text, const char *bytes, size_t length)
{
    if (text->capacity < text->length + length + 1) {
        size_t wanted = text->capacity ? text->capacity : 64;
        while (wanted < text->length + length + 1)
            wanted *= 2;
        text->data = mem_resize(text->data, wanted);
        text->capacity = wanted;
    }
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_puts(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_printf(struct text *text, const char *format, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof small) {
        text_append(text, small, (size_t)length);
    } else if (length >= 0) {
        char *large = mem_alloc((size_t)length + 1);
        vsnprintf(large, (size_t)length + 1, format, again);
        text_append(text, large, (size_t)length);
        free(large);
    }
    va_end(again);
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

const char *text_get(const struct text *text)
{
    return text->data ? text->data : "";
}

static bool is_unsafe(utf8proc_int32_t code, bool keep_lines)
{
    if (code == '\n' || code == '\t')
        return !keep_lines;
    // Besides control characters those that nobody sees: formats (soft hyphens, marks of direction, joiners, tags),
    // fillers of Hangul, and in names variation selectors.
    bool is_hidden = utf8proc_category(code) == UTF8PROC_CATEGORY_CF || code == 0x115f || code == 0x1160 ||
                     code == 0x3164 || code == 0xffa0 || code == 0x034f ||
                     (!keep_lines && code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0000 && code <= 0xe0fff);
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || is_hidden || code == 0x2028 || code == 0x2029 ||
           (code & 0xfffe) == 0xfffe; // no characters, and not allowed in XML
}

void text_escape(struct text *text, const char *bytes, size_t length, bool keep_lines)
{
    const unsigned char *data = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t code;
        utf8proc_ssize_t size = utf8proc_iterate(data + i, (utf8proc_ssize_t)(length - i), &code);
        if (size <= 0) { // not well-formed
            text_printf(text, "\\x%02x", data[i++]);
            continue;
        }
        if (!is_unsafe(code, keep_lines))
            text_append(text, bytes + i, (size_t)size);
        else if (code < 0x80)
            text_printf(text, "\\x%02x", (unsigned)code);
        else
            text_printf(text, "\\u{%04x}", (unsigned)code);
        i += (size_t)size;
    }
}

void text_escape_name(struct text *text, const char *name)
{
    const unsigned char *data = (const unsigned char *)name;
    for (size_t length = strlen(name), i = 0; i < length;) {
        utf8proc_int32_t code;
        utf8proc_ssize_t size = utf8proc_iterate(data + i, (utf8proc_ssize_t)(length - i), &code);
        bool is_safe = size > 0 && code != '\\' && !is_unsafe(code, false);
        if (is_safe)
            text_append(text, name + i, (size_t)size);
        else if (size > 0 && code == '\\')
            text_puts(text, "\\\\");
        for (utf8proc_ssize_t byte = 0; !is_safe && code != '\\' && byte < (size > 0 ? size : 1); byte++)
            text_printf(text, "\\x%02x", data[i + (size_t)byte]);
        i += size > 0 ? (size_t)size : 1;
    }
}

void text_unescape_name(struct text *name, const char *text)
{
    while (*text) {
        char digits[3] = {0}, *end = digits;
        if (text[0] == '\\' && text[1] == 'x')
            memcpy(digits, text + 2, strnlen(text + 2, 2));
        char byte = (char)strtoul(digits, &end, 16);
        bool is_byte = end == digits + 2, is_pair = text[0] == '\\' && text[1] == '\\';
        text_append(name, is_byte ? &byte : text, 1);
        text += is_byte ? 4 : is_pair ? 2 : 1;
    }
}

void text_escape_markup(struct text *out, const char *text)
{
    struct text safe = {0};
    text_escape(&safe, text, strlen(text), true);
    for (const char *at = text_get(&safe); *at; at++) {
        if (*at == '<')
            text_puts(out, "&lt;");
        else if (*at == '>')
            text_puts(out, "&gt;");
        else if (*at == '&')
            text_puts(out, "&amp;");
        else if (*at == '"')
            text_puts(out, "&quot;");
        else
            text_append(out, at, 1);
    }
    text_free(&safe);
}

const char *text_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool text_starts(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *string, const char *suffix)
{
    size_t length = strlen(string), tail = strlen(suffix);
    return length >= tail && strcmp(string + length - tail, suffix) == 0;
}

bool text_lists(const char *list, const char *word, size_t length)
{
    for (const char *at = list; *at;) {
        size_t here = strcspn(at, " ");
        if (here == length && memcmp(at, word, length) == 0)
            return true;
        at += here + strspn(at + here, " ");
    }
    return false;
}
