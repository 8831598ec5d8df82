// Pages of docs/ that are written from the program's own tables.
#include "documents.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lesson/names.h"
#include "lesson/topics.h"
#include "ptx/forms.h"
#include "record/counters.h"

// ---- docs/ptx-coverage.md

static const struct {
    enum ptx_group group;
    const char *title, *note;
} groups[] = {
    {PTX_GROUP_INT, "Integer and general arithmetic", NULL},
    {PTX_GROUP_FLOAT, "Floating point", NULL},
    {PTX_GROUP_LOGIC, "Logic and shifts", NULL},
    {PTX_GROUP_COMPARE, "Comparison and selection", NULL},
    {PTX_GROUP_MOVE, "Moves and conversions", NULL},
    {PTX_GROUP_MEMORY, "Memory", NULL},
    {PTX_GROUP_ATOMIC, "Atomics", NULL},
    {PTX_GROUP_CONTROL, "Control flow", NULL},
    {PTX_GROUP_SYNC, "Barriers and fences", NULL},
    {PTX_GROUP_WARP, "Warp exchange", NULL},
    {PTX_GROUP_ASYNC, "Asynchronous copies", NULL},
    {PTX_GROUP_MATRIX, "Warp matrices", NULL},
    {PTX_GROUP_VIDEO, "Video",
     "Of whole operands, and on four bytes or two halves at a time, these give what PTX says. A scalar one with "
     "`.sat`, "
     "`.min`,\n"
     "`.max`, `.shr7`, `.shr15` or part of an operand (`.b1`, `.h0`) gives other numbers on an H100 than PTX says: it "
     "is refused\n"
     "where it is executed, with its line."},
    {PTX_GROUP_TEXTURE, "Textures and surfaces", NULL},
    {PTX_GROUP_MISC, "Other", NULL},
    {PTX_GROUP_GPU_ONLY, "Only on a GPU",
     "The reader takes these and the driver compiles them. The simulator does not run them: a kernel that contains "
     "one\n"
     "is refused there, with its line and the words \"needs a GPU\". Modifiers of any name are accepted."},
};

static void write_group(struct text *page, size_t index)
{
    text_printf(page, "\n## %s\n\n", groups[index].title);
    if (groups[index].note)
        text_printf(page, "%s\n\n", groups[index].note);
    text_puts(page, "| opcode | operands | what it does |\n| --- | --- | --- |\n");
    for (unsigned i = 1; i < PTX_OP_COUNT; i++) {
        enum ptx_opcode op = (enum ptx_opcode)i;
        if (ptx_opcode_group(op) != groups[index].group)
            continue;
        unsigned least, most;
        ptx_opcode_operands(op, &least, &most);
        text_printf(page, "| `%s` | ", ptx_opcode_name(op));
        text_printf(page, most >= PTX_MOST_OPERANDS ? "any" : least == most ? "%u" : "%u to %u", least, most);
        text_printf(page, " | %s |\n", ptx_opcode_summary(op));
    }
}

// Words in one paragraph, in lines of at most 100 characters
static void write_words(struct text *page, const char *prefix, const char *(*name)(unsigned), unsigned count)
{
    size_t column = 0;
    for (unsigned i = 1; i < count && *name(i); i++) {
        size_t width = strlen(prefix) + strlen(name(i)) + 2;
        if (column && column + width + 1 > 100) {
            text_puts(page, "\n");
            column = 0;
        }
        text_printf(page, "%s`%s%s`", column ? " " : "", prefix, name(i));
        column += width + (column != 0);
    }
    text_puts(page, "\n");
}

static const char *type_name(unsigned i)
{
    return ptx_type_name((enum ptx_type)i);
}

static const char *modifier_name(unsigned i)
{
    return ptx_modifier_name((enum ptx_modifier)i);
}

static const char *special_name(unsigned i)
{
    return ptx_special_name((enum ptx_special)i);
}

void documents_ptx_coverage(struct text *page)
{
    text_puts(page,
              "# PTX coverage\n\n"
              "Written by `make docs` from src/ptx/opcodes.def and specials.def, the tables that the\n"
              "reader uses. An opcode is the longest dotted prefix found here; the words after it are types, spaces,\n"
              "vector widths and modifiers. Anything else is refused by name, with its line.\n\n"
              "Versions 3.0 to 9.x of PTX are read, with 64-bit addresses. Debug sections are skipped.\n");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        write_group(page, i);
    text_puts(page, "\n## Types\n\n");
    write_words(page, ".", type_name, PTX_TYPE_COUNT);
    text_puts(page, "\n## Modifiers, state spaces and widths\n\n");
    write_words(page, ".", modifier_name, UINT_MAX);
    text_puts(page,
              "\n## Special registers\n\n`%envreg` and `%pm` are written with their number, `%tid` and its like with "
              "an element: `%tid.x`.\n\n");
    write_words(page, "", special_name, PTX_SPECIAL_COUNT);
}

// ---- docs/names.md

static const char *const counter_names[] = {
#define C(name, field) #name,
#include "record/counters.def"
#undef C
};

static void write_table(struct text *out, const char *heads, struct fact_names names)
{
    text_puts(out, heads);
    for (size_t i = 0; i < names.count; i++)
        if (*names.items[i].unit)
            text_printf(out, "| `%s` | %s | %s |\n", names.items[i].name, names.items[i].unit, names.items[i].meaning);
        else
            text_printf(out, "| `%s` | %s |\n", names.items[i].name, names.items[i].meaning);
}

void documents_names(struct text *out)
{
    text_puts(out, "# Names in lesson.cfg\n\nWritten by `make docs`. [Writing lessons](writing-lessons.md) says how "
                   "they are used.\n\n"
                   "## Facts\n\nWhat gates, diagnoses and quiz answers may name, beside a size's variables. A fact "
                   "that is not known makes every\n"
                   "comparison with it false.\n\n");
    write_table(out, "| fact | unit | meaning |\n| --- | --- | --- |\n", names_table(NAMES_PLAIN));
    text_puts(out, "\nEvery counter is a fact too, and as `written_…` what it was before ptxas' fusion of shared "
                   "accesses\n([counting](counting.md)):\n\n");
    for (size_t i = 0; i < sizeof counter_names / sizeof *counter_names; i++)
        text_printf(out, "%s`%s`", i ? ", " : "", counter_names[i]);
    text_puts(out, ".\n");
    write_table(out,
                "\n## Of a line: line(marker:NAME).wavefronts\n\nAdded up over the accesses on the line.\n\n| field | "
                "unit | meaning |\n| --- | --- | --- |\n",
                names_table(NAMES_LINE));
    write_table(out,
                "\n## Of a lane: bank(marker:NAME, lane 7, instance 2, warp 1)\n\nOf the accesses recorded in block "
                "0.\n\n| name | unit | meaning |\n| --- | --- | --- |\n",
                names_table(NAMES_LANE));
    write_table(out, "\n## Diagnoses that every lesson has\n\n| diagnosis | meaning |\n| --- | --- |\n",
                facts_ending_names());
    write_table(out, "", names_table(NAMES_DIAGNOSES));
    write_table(out, "\n## References\n\n| reference | result |\n| --- | --- |\n", names_table(NAMES_REFERENCES));
    write_table(out, "\n## Fills\n\n| fill | values |\n| --- | --- |\n", names_table(NAMES_FILLS));
}

// ---- docs/questions.md

// As GitHub makes it from a heading: small letters, hyphens for blanks, nothing else.
static void write_anchor(struct text *page, const char *heading)
{
    for (const char *at = heading; *at; at++) {
        char letter = *at == ' ' ? '-' : (char)tolower((unsigned char)*at);
        if (letter == '-' || letter == '_' || isalnum((unsigned char)letter))
            text_append(page, &letter, 1);
    }
}

void documents_questions(struct text *page)
{
    static const char path[] = "docs/questions/questions.md", fence[] = "```try\n";
    char *source;
    size_t length;
    struct topics topics;
    struct diagnostic diagnostic = {0};
    if (file_read(path, 1 << 20, &source, &length, &diagnostic) == STATUS_OK &&
        topics_read(&topics, path, source, &diagnostic) == STATUS_OK) {
        text_printf(page, "%s<!-- Written by `make docs` from docs/questions/questions.md. -->\n\n", topics.intro);
        for (size_t i = 0; i < topics.count; i++) {
            text_printf(page, "- [%s](#", topics.items[i].question);
            write_anchor(page, topics.items[i].question);
            text_printf(page, "): `bankshot why %s`\n", topics.items[i].name);
        }
        for (size_t i = 0; i < topics.count; i++) {
            const char *at = topics.items[i].text;
            text_printf(page, "\n## %s\n", topics.items[i].question);
            for (const char *found; (found = strstr(at, fence)); at = found + strlen(fence)) {
                text_append(page, at, (size_t)(found - at));
                text_puts(page, "```\n");
            }
            text_append(page, at, strlen(at) - (at[strlen(at) - 1] == '\n' && i + 1 < topics.count));
        }
        topics_close(&topics);
        free(source);
    } else {
        fprintf(stderr, "%s:%d: %s\n", diagnostic.file, diagnostic.line, diagnostic.message);
    }
}
