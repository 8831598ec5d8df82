// The names that lessons use, gathered from the tables that own them.
#include "lesson/names.h"

#include <string.h>

#include "record/facts.h"

static const struct fact_name common_diagnoses[] = {
#define D(name, meaning) {name, "", meaning},
#include "lesson/names.def"
#undef D
#define H(id, name, meaning, family, message) {name, "", meaning},
#include "hazard/hazards.def"
#undef H
};

static const struct fact_name reference_names[] = {
#define R(name, moves, adds, meaning) {#name, "", meaning},
#include "lesson/names.def"
#undef R
};

static const struct fact_name fill_names[] = {
#define F(name, fill, meaning) {#name, "", meaning},
#include "lesson/names.def"
#undef F
};

static const char *const counter_names[] = {
#define C(name, field) #name, "written_" #name,
#include "record/counters.def"
#undef C
};

#define NAMES(table)                                                                                                   \
    (struct fact_names)                                                                                                \
    {                                                                                                                  \
        table, sizeof(table) / sizeof *(table)                                                                         \
    }

static struct fact_names names_of(enum names_kind kind)
{
    switch (kind) {
    case NAMES_PLAIN:
        return facts_names();
    case NAMES_LINE:
        return facts_line_names();
    case NAMES_LANE:
        return facts_lane_names();
    case NAMES_DIAGNOSES:
        return NAMES(common_diagnoses);
    case NAMES_REFERENCES:
        return NAMES(reference_names);
    case NAMES_FILLS:
        return NAMES(fill_names);
    }
    return (struct fact_names){0};
}

void names_add(struct names *names, const char *name)
{
    if (names->count < sizeof names->items / sizeof *names->items)
        names->items[names->count++] = name;
}

static void add_all(struct names *names, struct fact_names all)
{
    for (size_t i = 0; i < all.count; i++)
        names_add(names, all.items[i].name);
}

void names_collect(struct names *names, enum names_kind kind)
{
    add_all(names, names_of(kind));
    if (kind == NAMES_DIAGNOSES)
        add_all(names, facts_ending_names());
    for (size_t i = 0; kind == NAMES_PLAIN && i < sizeof counter_names / sizeof *counter_names; i++)
        names_add(names, counter_names[i]);
}

bool names_have(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

bool names_known(enum names_kind kind, const char *name)
{
    struct names names = {0};
    names_collect(&names, kind);
    return names_have(&names, name);
}

// ---- the page

static void write_table(struct text *out, const char *heads, struct fact_names names)
{
    text_puts(out, heads);
    for (size_t i = 0; i < names.count; i++)
        if (*names.items[i].unit)
            text_printf(out, "| `%s` | %s | %s |\n", names.items[i].name, names.items[i].unit, names.items[i].meaning);
        else
            text_printf(out, "| `%s` | %s |\n", names.items[i].name, names.items[i].meaning);
}

void names_write(struct text *out)
{
    text_puts(out, "# Names in lesson.cfg\n\nWritten by `make docs`. [Writing lessons](writing-lessons.md) says how "
                   "they are used.\n\n"
                   "## Facts\n\nWhat gates, diagnoses and quiz answers may name, beside a size's variables. A fact "
                   "that is not known makes every\n"
                   "comparison with it false.\n\n");
    write_table(out, "| fact | unit | meaning |\n| --- | --- | --- |\n", facts_names());
    text_puts(out, "\nEvery counter is a fact too, and as `written_…` what it was before ptxas' fusion of shared "
                   "accesses\n([counting](counting.md)):\n\n");
    for (size_t i = 0; i < sizeof counter_names / sizeof *counter_names; i += 2)
        text_printf(out, "%s`%s`", i ? ", " : "", counter_names[i]);
    text_puts(out, ".\n");
    write_table(out,
                "\n## Of a line: line(marker:NAME).wavefronts\n\nAdded up over the accesses on the line.\n\n| field | "
                "unit | meaning |\n| --- | --- | --- |\n",
                facts_line_names());
    write_table(out,
                "\n## Of a lane: bank(marker:NAME, lane 7, instance 2, warp 1)\n\nOf the accesses recorded in block "
                "0.\n\n| name | unit | meaning |\n| --- | --- | --- |\n",
                facts_lane_names());
    write_table(out, "\n## Diagnoses that every lesson has\n\n| diagnosis | meaning |\n| --- | --- |\n",
                facts_ending_names());
    write_table(out, "", NAMES(common_diagnoses));
    write_table(out, "\n## References\n\n| reference | result |\n| --- | --- |\n", NAMES(reference_names));
    write_table(out, "\n## Fills\n\n| fill | values |\n| --- | --- |\n", NAMES(fill_names));
}
