// What the playground opens with: the access under the cursor of the bank view, with its array's type and shape, and
// with what the kernel's own names stand for.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ui/source.h"
#include "ui/view.h"

enum { MOST_UNFOLDED = 24 }; // names: an index that needs more is not one to play with

// "float4", as C++ calls an element of the array.
static void name_type(const struct shared_array *array, char *text, size_t size)
{
    static const char *const of_bytes[][4] = {
        [SHARED_FLOAT] = {"", "", "float", "double"},
        [SHARED_SIGNED] = {"char", "short", "int", "long long"},
        [SHARED_UNSIGNED] = {"unsigned char", "unsigned short", "unsigned", "unsigned long long"},
        [SHARED_BITS] = {"unsigned char", "unsigned short", "unsigned", "unsigned long long"},
    };
    static const char *const vectors[] = {
        [SHARED_FLOAT] = "float", [SHARED_SIGNED] = "int", [SHARED_UNSIGNED] = "uint", [SHARED_BITS] = "uint"};
    uint32_t scalar = array->scalar ? array->scalar : array->element;
    uint32_t width = scalar ? array->element / scalar : 1;
    bool is_vector = scalar == 4 && (width == 2 || width == 4);
    int power = scalar == 1 ? 0 : scalar == 2 ? 1 : scalar == 4 ? 2 : 3;
    if (is_vector || array->element == 16)
        snprintf(text, size, "%s%u", vectors[array->kind], is_vector ? width : 4);
    else
        snprintf(text, size, "%s", array->element <= 8 ? of_bytes[array->kind][power] : "");
}

// "tile[ty][tx + 1]" of a line that holds `name[…][…]`; false: it does not, as where a pointer stands for the array.
static bool find_element(const char *line, const char *name, char *text, size_t size)
{
    const char *at = list_find_word(line, name);
    const char *end = at ? at + strlen(name) : NULL;
    if (!end || *end != '[')
        return false;
    while (*end == '[') {
        int depth = 0;
        do {
            depth += *end == '[';
            depth -= *end == ']';
        } while (*end++ && depth > 0);
        if (depth > 0)
            return false;
    }
    snprintf(text, size, "tile%.*s", (int)(end - at - (ptrdiff_t)strlen(name)), at + strlen(name));
    return true;
}

// The part of the source before a line, where a name that the line uses was last given its value.
static size_t length_before(const char *source, uint32_t line)
{
    const char *at = source;
    for (uint32_t i = 1; i < line && at; i++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    at = at ? strchr(at, '\n') : NULL; // for (int j = 0; …) may stand on the line itself
    return at ? (size_t)(at - source) : strlen(source);
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_builtin(const char *name, size_t length)
{
    static const char *const known[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "lane", "warp", "tile"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && strncmp(known[i], name, length) == 0)
            return true;
    return false;
}

// Where the value begins that a name was last given: behind "name =" or "#define name "; NULL: nowhere.
static const char *find_value(const char *source, size_t length, const char *name, size_t name_length)
{
    const char *found = NULL;
    for (const char *at = source; at + name_length < source + length; at++) {
        if (strncmp(at, name, name_length) != 0 || is_of_name(at[name_length]) || (at > source && is_of_name(at[-1])))
            continue;
        const char *behind = at + name_length + strspn(at + name_length, " ");
        bool is_macro = at - source >= 8 && strncmp(at - 8, "#define ", 8) == 0;
        if (is_macro || (behind[0] == '=' && behind[1] != '='))
            found = is_macro ? behind : behind + 1 + strspn(behind + 1, " ");
    }
    return found;
}

// Up to the comma, semicolon or end of line that ends a value.
static size_t value_length(const char *value)
{
    int depth = 0;
    size_t length = 0;
    for (; value[length] && value[length] != '\n' && value[length] != ';'; length++) {
        char c = value[length];
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth < 0 || (c == ',' && depth == 0) || (c == '/' && value[length + 1] == '/'))
            break;
    }
    while (length > 0 && value[length - 1] == ' ')
        length--;
    return length;
}

// Puts values in place of the kernel's names, "tile[ty + j][tx]" becomes "tile[threadIdx.y + 0][threadIdx.x]". A name
// without one, an argument say, stays: the compiler then says that it is not known here.
static void unfold(const char *source, size_t length, char *text, size_t size)
{
    size_t at = 0;
    for (int left = MOST_UNFOLDED; text[at] && left > 0;) {
        size_t end = at;
        while (is_of_name(text[end]))
            end++;
        bool is_member = at > 0 && text[at - 1] == '.', is_number = isdigit((unsigned char)text[at]);
        const char *value = end == at || is_member || is_number || is_builtin(text + at, end - at)
                                ? NULL
                                : find_value(source, length, text + at, end - at);
        size_t with = value ? value_length(value) : 0, plain = 0;
        while (plain < with && (is_of_name(value[plain]) || value[plain] == '.'))
            plain++;
        char rest[256];
        snprintf(rest, sizeof rest, "%s", text + end);
        if (with == 0 || at + with + strlen(rest) + 3 > size || strlen(text + end) >= sizeof rest) {
            at = end > at ? end : at + 1;
            continue;
        }
        snprintf(text + at, size - at, plain == with ? "%.*s%s" : "(%.*s)%s", (int)with, value, rest);
        left--;
    }
}

void play_fill(struct app *app)
{
    struct play_state *play = &app->play;
    const struct grade_report *report = app_pictured(app);
    struct sites sites = list_sites(app, report, PTX_SHARED);
    const struct site *site = list_site(&app->banks.list, &sites);
    struct shared_arrays arrays = {0};
    const struct shared_array *array = NULL;
    char line[512], element[sizeof play->filled], type[32] = "";
    if (site && report->source) {
        shared_arrays_read(&arrays, report->source, report->kernel);
        source_line(report->source, (int)site->line->line, line, sizeof line);
    }
    for (size_t i = 0; i < arrays.count; i++)
        if (strcmp(arrays.items[i].name, site->array) == 0)
            array = &arrays.items[i];
    if (array)
        name_type(array, type, sizeof type);
    bool is_known = array && !array->dynamic && array->dim_count > 0 && *type &&
                    find_element(line, array->name, element, sizeof element);
    if (is_known && strcmp(element, play->filled) != 0) { // what was changed by hand stays, for the same access
        const uint32_t *block = report->launch.block;
        char *index = play->fields[PLAY_INDEX];
        char *shape = play->fields[PLAY_SHAPE];
        snprintf(play->filled, sizeof play->filled, "%s", element);
        snprintf(index, sizeof play->fields[0], "%s", element);
        unfold(report->source, length_before(report->source, site->line->line), index, sizeof play->fields[0]);
        snprintf(play->fields[PLAY_TYPE], sizeof play->fields[0], "%s", type);
        *shape = '\0';
        for (uint32_t i = 0; i < array->dim_count; i++)
            snprintf(shape + strlen(shape), sizeof play->fields[0] - strlen(shape), "[%u]", array->dims[i]);
        snprintf(play->fields[PLAY_BLOCK], sizeof play->fields[0], block[2] > 1 ? "%u,%u,%u" : "%u,%u", block[0],
                 block[1], block[2]);
        snprintf(play->fields[PLAY_OPERATION], sizeof play->fields[0], "%s",
                 site->line->kind == SIM_STORE                                      ? "store"
                 : site->line->kind == SIM_ATOMIC || site->line->kind == SIM_REDUCE ? "atomic"
                                                                                    : "load");
        grade_report_free(play->report); // of another access
        play->report = NULL;
    }
    sites_free(&sites);
}
