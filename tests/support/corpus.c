// Reads the corpus' headers and holds reports against them.
#include "corpus.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum { SOURCE_LIMIT = 64 << 20 };

// Whether `word` is one of the alternatives in `list`, which are parted by '|'.
static bool is_alternative(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == '|' || !at[length]))
            return true;
    return false;
}

// "compile error" as a header writes it: "compile-error".
static void hyphenate(char *text)
{
    for (; *text; text++)
        if (*text == ' ')
            *text = '-';
}

static bool allow_verdict(struct corpus_want *want, const char *word)
{
    if (strcmp(word, "full") == 0) {
        want->full = true;
        word = "pass";
    }
    if (strcmp(word, "not-started") == 0)
        return want->not_started = true;
    if (strcmp(word, "refused") == 0) {
        want->verdicts |= 1u << VERDICT_COMPILE_ERROR | 1u << VERDICT_LAUNCH_ERROR;
        return true;
    }
    for (enum verdict verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        char name[32];
        snprintf(name, sizeof name, "%s", verdict_name(verdict));
        hyphenate(name);
        if (strcmp(name, word) == 0) {
            want->verdicts |= 1u << verdict;
            return true;
        }
    }
    return false;
}

static bool add_want_clause(struct corpus_want *want, const char *clause)
{
    if (text_starts(clause, "gate ") && want->gate_count < CORPUS_GATES)
        snprintf(want->gates[want->gate_count++], sizeof *want->gates, "%s", clause + 5);
    else if (text_starts(clause, "diagnosis "))
        snprintf(want->diagnosis, sizeof want->diagnosis, "%s", clause + 10);
    else if (text_starts(clause, "at most "))
        want->at_most = atof(clause + 8);
    else if (text_starts(clause, "at least "))
        want->at_least = atof(clause + 9);
    else
        return false;
    return true;
}

static enum status read_want_field(struct corpus_case *entry, const char *where, const char *clauses,
                                   struct diagnostic *diagnostic)
{
    if (entry->want_count == CORPUS_WANTS)
        return diagnostic_set(diagnostic, STATUS_PARSE, "too many fields \"want\"");
    struct corpus_want *want = &entry->wants[entry->want_count++];
    *want = (struct corpus_want){.at_most = 100};
    snprintf(want->where, sizeof want->where, "%s", where);
    snprintf(want->text, sizeof want->text, "%s", clauses);
    char copy[sizeof want->text], *clause_end, *word_end;
    snprintf(copy, sizeof copy, "%s", clauses);
    char *clause = strtok_r(copy, ",", &clause_end);
    for (char *word = clause ? strtok_r(clause, "|", &word_end) : NULL; word; word = strtok_r(NULL, "|", &word_end))
        if (!allow_verdict(want, word))
            return diagnostic_set(diagnostic, STATUS_PARSE, "there is no verdict \"%s\"", word);
    while ((clause = strtok_r(NULL, ",", &clause_end)) != NULL)
        if (!add_want_clause(want, clause + strspn(clause, " ")))
            return diagnostic_set(diagnostic, STATUS_PARSE, "\"%s\" is no clause", clause);
    return STATUS_OK;
}

static enum status read_header_field(struct corpus_case *entry, char *field, struct diagnostic *diagnostic)
{
    char *colon = strchr(field, ':');
    if (text_starts(field, "lesson "))
        entry->lesson = atoi(field + 7);
    else if (text_starts(field, "device ")) {
        entry->sim = strstr(field, "sim") != NULL;
        entry->gpu = strstr(field, "gpu") != NULL;
    } else if (strcmp(field, "quick") == 0)
        entry->quick = true;
    else if (text_starts(field, "want") && colon && colon[1] == ' ') {
        *colon = '\0';
        return read_want_field(entry, field[4] ? field + 5 : "", colon + 2, diagnostic);
    } else if (strspn(field, "nvcclang,") == strlen(field)) {
        entry->nvcc = strstr(field, "nvcc") != NULL;
        entry->clang = strstr(field, "clang") != NULL;
    } else
        return diagnostic_set(diagnostic, STATUS_PARSE, "\"%s\" is no field", field);
    return STATUS_OK;
}

enum status corpus_header(const char *line, struct corpus_case *entry, struct diagnostic *diagnostic)
{
    char copy[800], *tries;
    snprintf(copy, sizeof copy, "%s", line);
    copy[strcspn(copy, "\r\n")] = '\0';
    tries = strstr(copy, "; tries: ");
    if (!text_starts(copy, "// lesson ") || !tries)
        return diagnostic_set(diagnostic, STATUS_PARSE, "the line is not \"// lesson N; …; tries: …\"");
    snprintf(entry->tries, sizeof entry->tries, "%s", tries + 9);
    *tries = '\0';
    for (char *field = copy + 3, *next; field; field = next) {
        next = strstr(field, "; ");
        if (next) {
            *next = '\0';
            next += 2;
        }
        enum status status = read_header_field(entry, field, diagnostic);
        if (status)
            return status;
    }
    if (!entry->lesson || !(entry->sim || entry->gpu) || !(entry->nvcc || entry->clang) || !entry->want_count)
        return diagnostic_set(diagnostic, STATUS_PARSE, "lesson, device, compilers and want are needed");
    return STATUS_OK;
}

static enum status read_corpus_case(const char *path, struct corpus_case *entry, struct diagnostic *diagnostic)
{
    char beside[sizeof entry->path + 8], *text;
    snprintf(entry->path, sizeof entry->path, "%s", path);
    const char *tree = strchr(path, '/') + 1, *family = strchr(tree, '/') + 1, *slash = strchr(family, '/');
    entry->honest = text_starts(tree, "honest/");
    snprintf(entry->family, sizeof entry->family, "%.*s", (int)(slash - family), family);
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)(strlen(tree) - strlen(".cu")), tree);
    snprintf(beside, sizeof beside, "%s.want", entry->path);
    enum status status =
        file_read(file_exists(beside) ? beside : entry->path, SOURCE_LIMIT, &text, &(size_t){0}, diagnostic);
    if (status)
        return status;
    status = corpus_header(text, entry, diagnostic);
    free(text);
    if (status && diagnostic)
        snprintf(diagnostic->file, sizeof diagnostic->file, "%s", path);
    return status;
}

enum status corpus_read(struct corpus *corpus, struct diagnostic *diagnostic)
{
    *corpus = (struct corpus){0};
    glob_t found;
    glob("tests/hostile/*/*.cu", 0, NULL, &found);
    glob("tests/honest/*/*.cu", GLOB_APPEND, NULL, &found);
    corpus->cases = mem_alloc((found.gl_pathc + 1) * sizeof *corpus->cases);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < found.gl_pathc && !status; i++) {
        corpus->cases[corpus->count] = (struct corpus_case){0};
        status = read_corpus_case(found.gl_pathv[i], &corpus->cases[corpus->count++], diagnostic);
    }
    globfree(&found);
    return status;
}

void corpus_free(struct corpus *corpus)
{
    free(corpus->cases);
    *corpus = (struct corpus){0};
}

bool corpus_uses(const struct corpus_case *entry, const char *compiler, const char *device)
{
    return (strcmp(compiler, "nvcc") == 0 ? entry->nvcc : entry->clang) &&
           (strcmp(device, "gpu") == 0 ? entry->gpu : entry->sim);
}

const struct corpus_want *corpus_want_for(const struct corpus_case *entry, const char *compiler, const char *device)
{
    const struct corpus_want *general = &entry->wants[0];
    for (size_t i = 0; i < entry->want_count; i++) {
        const char *where = entry->wants[i].where;
        if (strcmp(where, compiler) == 0 || strcmp(where, device) == 0)
            return &entry->wants[i];
        if (!*where)
            general = &entry->wants[i];
    }
    return general;
}

static bool gate_fails(const struct grade_report *report, const char *alternatives)
{
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        if (!gate->passed && !gate->skipped && is_alternative(alternatives, gate->id))
            return true;
    }
    return false;
}

static bool speaks_plainly(const struct grade_report *report)
{
    if (verdict_exit(report->verdict) && !*report->next)
        return false;
    for (const char *byte = report->next; *byte; byte++)
        if (((unsigned char)*byte < 0x20 && *byte != '\n') || *byte == 0x7f)
            return false;
    return true;
}

static void describe_verdict(const struct grade_report *report, char *got, size_t size)
{
    size_t length = (size_t)snprintf(got, size, "%s %g%s%s%s", verdict_name(report->verdict), report->score,
                                     report->full ? " full" : "", *report->diagnosis ? ", " : "", report->diagnosis);
    const char *before = "; gates: ";
    for (size_t i = 0; i < report->gate_count && length < size; i++) {
        const struct grade_gate *gate = &report->gates[i];
        if (gate->passed && gate->full)
            continue;
        length += (size_t)snprintf(got + length, size - length, "%s%s%s", before, gate->id,
                                   gate->skipped  ? " skipped"
                                   : gate->passed ? " half"
                                                  : "");
        before = ", ";
    }
    if (report->verdict == VERDICT_INFRASTRUCTURE || report->verdict == VERDICT_TIMEOUT)
        for (size_t i = 0; i < report->messages.count && length < size; i++)
            length += (size_t)snprintf(got + length, size - length, "; %s", report->messages.items[i].message);
}

bool corpus_judge(const struct corpus_want *want, const struct grade_report *report, char *got, size_t size)
{
    describe_verdict(report, got, size);
    char verdict[32];
    snprintf(verdict, sizeof verdict, "%s", verdict_name(report->verdict));
    hyphenate(verdict);
    if (want->not_started && (strcmp(verdict, "not-started") == 0 || strcmp(report->diagnosis, "not-started") == 0))
        return report->score == 0;
    bool right = want->verdicts >> report->verdict & 1 && report->score <= want->at_most &&
                 report->score >= want->at_least && (!want->full || report->verdict != VERDICT_PASS || report->full) &&
                 (!*want->diagnosis || is_alternative(want->diagnosis, report->diagnosis));
    for (size_t i = 0; i < want->gate_count; i++)
        right = right && gate_fails(report, want->gates[i]);
    return right && speaks_plainly(report);
}
