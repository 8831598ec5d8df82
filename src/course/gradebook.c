// The gradebook's tables in SQLite: see gradebook.h. Every statement goes through gradebook_query, which binds, steps
// and says what went wrong.
#include "course/gradebook.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/memory.h"

enum { APPLICATION = 0x42534742, BUSY_MILLISECONDS = 20000 };

struct gradebook {
    sqlite3 *sql;
    char *path; // "" = nobody keeps it
};

static const char *const steps[] = {
#define GRADEBOOK_STEP(sql) sql,
#include "course/gradebook.def"
#undef GRADEBOOK_STEP
};
_Static_assert(sizeof steps / sizeof *steps == GRADEBOOK_VERSION, "a version has a step that makes it");

static const char *const state_names[GRADEBOOK_STATES] = {"missing", "file", "link", "unreadable"};

const char *gradebook_state_name(enum gradebook_state state)
{
    return state_names[state];
}

// ---- statements

static enum status sql_failed(const struct gradebook *book, struct diagnostic *diagnostic)
{
    int code = sqlite3_errcode(book->sql);
    if (code == SQLITE_NOMEM)
        mem_out(0);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return diagnostic_set(diagnostic, STATUS_PARSE,
                              "%s is not a gradebook, or a damaged one (%s). Name another file.", book->path,
                              sqlite3_errmsg(book->sql));
    return diagnostic_set(diagnostic, STATUS_IO,
                          "%s: %s. The gradebook and its folder must be writable, with room on the disk.", book->path,
                          sqlite3_errmsg(book->sql));
}

// kinds: i int64_t, d double, t text, b bytes and their length (NULL: none).
static void bind_values(sqlite3_stmt *statement, const char *kinds, va_list values)
{
    for (int i = 1; kinds[i - 1]; i++) {
        if (kinds[i - 1] == 'i') {
            sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
        } else if (kinds[i - 1] == 'd') {
            sqlite3_bind_double(statement, i, va_arg(values, double));
        } else if (kinds[i - 1] == 't') {
            sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_STATIC);
        } else {
            const char *bytes = va_arg(values, const char *);
            size_t length = va_arg(values, size_t);
            if (bytes) // a pointer to nothing would be NULL to SQLite
                sqlite3_bind_blob64(statement, i, length ? bytes : "", length, SQLITE_STATIC);
        }
    }
}

typedef void take_row(void *into, sqlite3_stmt *row);

// Calls take (may be NULL) for each row.
static enum status gradebook_query(struct gradebook *book, struct diagnostic *diagnostic, take_row *take, void *into,
                                   const char *sql, const char *kinds, ...)
{
    sqlite3_stmt *statement;
    va_list values;
    int code = sqlite3_prepare_v2(book->sql, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        va_start(values, kinds);
        bind_values(statement, kinds, values);
        va_end(values);
        while ((code = sqlite3_step(statement)) == SQLITE_ROW)
            if (take)
                take(into, statement);
    }
    enum status status = code == SQLITE_DONE ? STATUS_OK : sql_failed(book, diagnostic);
    sqlite3_finalize(statement);
    return status;
}

static enum status run_sql(struct gradebook *book, const char *sql, struct diagnostic *diagnostic)
{
    return sqlite3_exec(book->sql, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK : sql_failed(book, diagnostic);
}

static enum verdict verdict_by_name(const char *name)
{
    int verdict = 0;
    while (verdict < VERDICT_COUNT && strcmp(verdict_name((enum verdict)verdict), name) != 0)
        verdict++;
    return verdict < VERDICT_COUNT ? (enum verdict)verdict : VERDICT_INFRASTRUCTURE;
}

// is_mark(verdict) in SQL: it was graded, and not the machine's fault.
static void answer_is_mark(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *name = count == 1 ? (const char *)sqlite3_value_text(values[0]) : NULL;
    sqlite3_result_int(context, name && verdict_exit(verdict_by_name(name)) < 2);
}

static void take_integer(void *into, sqlite3_stmt *row)
{
    *(int64_t *)into = sqlite3_column_int64(row, 0);
}

// A column's bytes, terminated; NULL where it has none.
static const char *column_bytes(struct arena *arena, sqlite3_stmt *row, int column)
{
    const char *bytes = sqlite3_column_blob(row, column);
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    bool is_none = sqlite3_column_type(row, column) == SQLITE_NULL;
    return is_none ? NULL : arena_strndup(arena, bytes ? bytes : "", length);
}

static void column_text(sqlite3_stmt *row, int column, char *text, size_t size)
{
    const char *found = (const char *)sqlite3_column_text(row, column);
    snprintf(text, size, "%s", found ? found : "");
}

// ---- opening

static enum status bring_up(struct gradebook *book, struct diagnostic *diagnostic)
{
    int64_t application = 0, version = 0, tables = 0;
    char sql[96];
    // One change: who is killed in it leaves the version that there was.
    enum status status = run_sql(book, "BEGIN IMMEDIATE", diagnostic);
    if (!status)
        status = gradebook_query(book, diagnostic, take_integer, &application, "PRAGMA application_id", "");
    if (!status)
        status = gradebook_query(book, diagnostic, take_integer, &version, "PRAGMA user_version", "");
    if (!status)
        status = gradebook_query(book, diagnostic, take_integer, &tables, "SELECT count(*) FROM sqlite_master", "");
    if (!status && tables && application != APPLICATION)
        status = diagnostic_set(diagnostic, STATUS_PARSE, "%s is a database, but not a gradebook. Name another file.",
                                book->path);
    if (!status && (version > GRADEBOOK_VERSION || version < 0))
        status = diagnostic_set(diagnostic, STATUS_USAGE,
                                "%s was made by a newer Bankshot (gradebook version %lld, this one knows %d). Use that "
                                "one.",
                                book->path, (long long)version, GRADEBOOK_VERSION);
    for (int64_t i = version; !status && i < GRADEBOOK_VERSION; i++)
        status = run_sql(book, steps[i], diagnostic);
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", APPLICATION,
             GRADEBOOK_VERSION);
    return status ? status : run_sql(book, version == GRADEBOOK_VERSION ? "ROLLBACK" : sql, diagnostic);
}

static enum status open_file(struct gradebook *book, enum gradebook_use use, struct diagnostic *diagnostic)
{
    if (use == GRADEBOOK_KEEP && *book->path) { // marks are for their owner's eyes
        int file = open(book->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0)
            close(file);
    }
    int code = sqlite3_open_v2(*book->path ? book->path : ":memory:", &book->sql, SQLITE_OPEN_READWRITE, NULL);
    if (!book->sql)
        mem_out(0);
    if (code != SQLITE_OK)
        return sql_failed(book, diagnostic);
    sqlite3_busy_timeout(book->sql, BUSY_MILLISECONDS);
    if (sqlite3_create_function(book->sql, "is_mark", 1, SQLITE_UTF8, NULL, answer_is_mark, NULL, NULL) != SQLITE_OK)
        return sql_failed(book, diagnostic);
    return STATUS_OK;
}

enum status gradebook_open(const char *path, enum gradebook_use use, struct gradebook **book,
                           struct diagnostic *diagnostic)
{
    struct gradebook *opened = mem_alloc(sizeof *opened);
    opened->path = mem_strdup(path ? path : "");
    enum status status = open_file(opened, use, diagnostic);
    if (!status)
        status = bring_up(opened, diagnostic);
    // Behind the check: nothing is written into a file that is something else.
    if (!status)
        status = run_sql(opened, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
                         diagnostic);
    *book = status ? NULL : opened;
    if (status)
        gradebook_close(opened);
    return status;
}

void gradebook_close(struct gradebook *book)
{
    if (!book)
        return;
    sqlite3_close(book->sql);
    free(book->path);
    free(book);
}

enum status gradebook_begin(struct gradebook *book, struct diagnostic *diagnostic)
{
    return run_sql(book, "BEGIN IMMEDIATE", diagnostic);
}

enum status gradebook_commit(struct gradebook *book, struct diagnostic *diagnostic)
{
    return run_sql(book, "COMMIT", diagnostic);
}

// ---- runs

enum status gradebook_add_run(struct gradebook *book, struct gradebook_run *run, struct diagnostic *diagnostic)
{
    enum status status =
        gradebook_query(book, diagnostic, NULL, NULL,
                        "INSERT INTO run (seed, compiler, device, gpu_model, bankshot) VALUES (?1, ?2, ?3, ?4, ?5)",
                        "itttt", (int64_t)run->seed, run->compiler, run->device, run->gpu_model, BANKSHOT_VERSION);
    run->id = status ? 0 : sqlite3_last_insert_rowid(book->sql);
    return status;
}

static void take_run(void *into, sqlite3_stmt *row)
{
    struct gradebook_run *run = into;
    run->id = sqlite3_column_int64(row, 0);
    run->seed = (uint64_t)sqlite3_column_int64(row, 1);
    column_text(row, 2, run->compiler, sizeof run->compiler);
    column_text(row, 3, run->device, sizeof run->device);
    column_text(row, 4, run->gpu_model, sizeof run->gpu_model);
}

enum status gradebook_last_run(struct gradebook *book, struct gradebook_run *run, struct diagnostic *diagnostic)
{
    *run = (struct gradebook_run){0};
    return gradebook_query(book, diagnostic, take_run, run,
                           "SELECT id, seed, compiler, device, gpu_model FROM run ORDER BY id DESC LIMIT 1", "");
}

// ---- what was handed in

struct last_attempt {
    int64_t id, number, source;
    bool is_same;
};

static void take_attempt(void *into, sqlite3_stmt *row)
{
    *(struct last_attempt *)into = (struct last_attempt){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
                                                         sqlite3_column_int64(row, 2), sqlite3_column_int(row, 3)};
}

// The source with these bytes. They decide, not their hash: two files can be made to have one hash.
static enum status enter_source(struct gradebook *book, const struct gradebook_hand_in *hand_in, int64_t *source,
                                struct diagnostic *diagnostic)
{
    int64_t hash = (int64_t)map_hash(MAP_HASH_START, hand_in->bytes, hand_in->bytes ? hand_in->length : 0);
    enum status status =
        gradebook_query(book, diagnostic, take_integer, source, "SELECT id FROM source WHERE hash = ?1 AND bytes = ?2",
                        "ib", hash, hand_in->bytes, hand_in->length);
    if (status || *source)
        return status;
    status = gradebook_query(book, diagnostic, NULL, NULL, "INSERT INTO source (hash, bytes) VALUES (?1, ?2)", "ib",
                             hash, hand_in->bytes, hand_in->length);
    *source = sqlite3_last_insert_rowid(book->sql);
    return status;
}

static enum status enter_submission(struct gradebook *book, const struct gradebook_hand_in *hand_in,
                                    int64_t *submission, struct diagnostic *diagnostic)
{
    size_t length = strlen(hand_in->student);
    enum status status =
        gradebook_query(book, diagnostic, NULL, NULL, "INSERT OR IGNORE INTO student (name) VALUES (?1)", "b",
                        hand_in->student, length);
    if (!status)
        status = gradebook_query(book, diagnostic, take_integer, submission,
                                 "INSERT INTO submission (student, lesson, state) SELECT id, ?2, ?3 FROM student WHERE "
                                 "name = ?1 ON CONFLICT DO UPDATE SET state = excluded.state RETURNING id",
                                 "btt", hand_in->student, length, hand_in->lesson, state_names[hand_in->state]);
    return status;
}

static enum status enter_grading(struct gradebook *book, const struct gradebook_run *run,
                                 const struct gradebook_hand_in *hand_in, int64_t source, int64_t *grading,
                                 struct diagnostic *diagnostic)
{
    return gradebook_query(book, diagnostic, take_integer, grading,
                           "INSERT INTO grading (run, lesson, lesson_print, source) VALUES (?1, ?2, ?3, ?4) "
                           "ON CONFLICT DO UPDATE SET run = run RETURNING id",
                           "itii", run->id, hand_in->lesson, (int64_t)hand_in->lesson_print, source);
}

enum status gradebook_enter(struct gradebook *book, const struct gradebook_run *run,
                            const struct gradebook_hand_in *hand_in, int64_t *grading, struct diagnostic *diagnostic)
{
    int64_t submission = 0, source = 0;
    struct last_attempt last = {0};
    *grading = 0;
    enum status status = enter_submission(book, hand_in, &submission, diagnostic);
    if (status || hand_in->state != GRADEBOOK_FILE)
        return status;
    status = gradebook_query(book, diagnostic, take_attempt, &last,
                             "SELECT attempt.id, number, source, bytes IS ?2 FROM attempt JOIN source ON source = "
                             "source.id WHERE submission = ?1 ORDER BY number DESC LIMIT 1",
                             "ib", submission, hand_in->bytes, hand_in->length);
    source = last.is_same ? last.source : 0;
    if (!status && !source)
        status = enter_source(book, hand_in, &source, diagnostic);
    if (!status)
        status = enter_grading(book, run, hand_in, source, grading, diagnostic);
    if (status)
        return status;
    if (last.is_same)
        return gradebook_query(
            book, diagnostic, NULL, NULL,
            "UPDATE attempt SET grading = ?2, path = ?3, handed_in = min(handed_in, ?4) WHERE id = ?1", "iibi", last.id,
            *grading, hand_in->path, strlen(hand_in->path), hand_in->time);
    return gradebook_query(book, diagnostic, NULL, NULL,
                           "INSERT INTO attempt (submission, number, source, grading, path, handed_in) VALUES (?1, ?2, "
                           "?3, ?4, ?5, ?6)",
                           "iiiibi", submission, last.number + 1, source, *grading, hand_in->path,
                           strlen(hand_in->path), hand_in->time);
}

// ---- what became of it

static enum status keep_gates(struct gradebook *book, int64_t grading, const struct grade_report *report,
                              struct diagnostic *diagnostic)
{
    enum status status =
        gradebook_query(book, diagnostic, NULL, NULL, "DELETE FROM gate WHERE grading = ?1", "i", grading);
    for (size_t i = 0; !status && i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        status = gradebook_query(
            book, diagnostic, NULL, NULL, "INSERT INTO gate VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            "iitiiiddttt", grading, (int64_t)i + 1, gate->id, (int64_t)gate->passed, (int64_t)gate->skipped,
            (int64_t)gate->full, gate->points, gate->earned, gate->message ? gate->message : "",
            gate->words[0] ? gate->words : gate->asked, gate->got);
    }
    return status;
}

enum status gradebook_grade(struct gradebook *book, int64_t grading, const struct grade_report *report,
                            struct diagnostic *diagnostic)
{
    struct grade_report sourceless = *report;
    sourceless.source = NULL;
    json_t *json = grade_report_json_packed(&sourceless);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        mem_out(0);
    enum status status = run_sql(book, "SAVEPOINT answer", diagnostic);
    if (!status)
        status = keep_gates(book, grading, report, diagnostic);
    if (!status)
        status =
            gradebook_query(book, diagnostic, NULL, NULL,
                            "UPDATE grading SET tries = tries + 1, verdict = ?2, score = ?3, full = ?4, diagnosis "
                            "= ?5, next = ?6, seconds = ?7, report = ?8, graded = ?9 WHERE id = ?1",
                            "itdittdti", grading, verdict_name(report->verdict), report->score, (int64_t)report->full,
                            report->diagnosis, report->next, report->total_seconds, text, clock_wall());
    free(text);
    if (status)
        run_sql(book, "ROLLBACK TO answer", NULL);
    enum status released = run_sql(book, "RELEASE answer", status ? NULL : diagnostic);
    return status ? status : released;
}

#define RESULT_COLUMNS "verdict, score, full, diagnosis, next"

static struct gradebook_result read_result(sqlite3_stmt *row, int column)
{
    struct gradebook_result result = {.is_graded = sqlite3_column_type(row, column) != SQLITE_NULL,
                                      .score = sqlite3_column_double(row, column + 1),
                                      .full = sqlite3_column_int(row, column + 2)};
    if (result.is_graded)
        result.verdict = verdict_by_name((const char *)sqlite3_column_text(row, column));
    column_text(row, column + 3, result.diagnosis, sizeof result.diagnosis);
    column_text(row, column + 4, result.next, sizeof result.next);
    return result;
}

static void take_result(void *into, sqlite3_stmt *row)
{
    *(struct gradebook_result *)into = read_result(row, 0);
}

enum status gradebook_result(struct gradebook *book, int64_t grading, struct gradebook_result *result,
                             struct diagnostic *diagnostic)
{
    *result = (struct gradebook_result){0};
    return gradebook_query(book, diagnostic, take_result, result,
                           "SELECT " RESULT_COLUMNS " FROM grading WHERE id = ?1", "i", grading);
}

struct long_text {
    char *bytes;
    size_t length;
};

static void take_long_text(void *into, sqlite3_stmt *row)
{
    struct long_text *text = into;
    const char *bytes = sqlite3_column_blob(row, 0);
    if (sqlite3_column_type(row, 0) == SQLITE_NULL)
        return;
    text->length = (size_t)sqlite3_column_bytes(row, 0);
    text->bytes = mem_strndup(bytes ? bytes : "", text->length);
}

enum status gradebook_report(struct gradebook *book, int64_t grading, struct grade_report **report,
                             struct diagnostic *diagnostic)
{
    struct long_text text = {0};
    *report = NULL;
    enum status status = gradebook_query(book, diagnostic, take_long_text, &text,
                                         "SELECT report FROM grading WHERE id = ?1", "i", grading);
    if (status || !text.bytes)
        return status;
    json_t *json = json_loadb(text.bytes, text.length, 0, NULL);
    status = grade_report_read(json, report, diagnostic);
    json_decref(json);
    free(text.bytes);
    return status;
}

enum status gradebook_source(struct gradebook *book, int64_t grading, char **bytes, size_t *length,
                             struct diagnostic *diagnostic)
{
    struct long_text text = {0};
    enum status status = gradebook_query(
        book, diagnostic, take_long_text, &text,
        "SELECT bytes FROM source JOIN grading ON source = source.id WHERE grading.id = ?1", "i", grading);
    *bytes = text.bytes;
    *length = text.length;
    return status;
}

// ---- reading all of it

struct attempt_list {
    struct arena *arena;
    struct gradebook_attempt *items;
    size_t count, capacity;
};

static void take_listed(void *into, sqlite3_stmt *row)
{
    struct attempt_list *list = into;
    const char *path = column_bytes(list->arena, row, 2);
    int state = 0;
    while (state < GRADEBOOK_STATES - 1 && strcmp(state_names[state], (const char *)sqlite3_column_text(row, 3)) != 0)
        state++;
    *mem_append(list->items, list->capacity, list->count) =
        (struct gradebook_attempt){.student = column_bytes(list->arena, row, 0),
                                   .lesson = column_bytes(list->arena, row, 1),
                                   .path = path ? path : "",
                                   .state = (enum gradebook_state)state,
                                   .number = sqlite3_column_int(row, 4),
                                   .count = sqlite3_column_int(row, 5),
                                   .time = sqlite3_column_int64(row, 6),
                                   .grading = sqlite3_column_int64(row, 7),
                                   .is_other_run = sqlite3_column_int(row, 8),
                                   .result = read_result(row, 9)};
}

// The grading that an attempt has its result from. Runs are few, and of each there is at most one, found by the index.
#define RESULT_GRADING                                                                                                 \
    "(SELECT CASE WHEN is_mark(verdict) THEN id ELSE coalesce((SELECT other.id FROM run CROSS JOIN grading other ON "  \
    "other.run = run.id AND other.lesson = entered.lesson AND other.lesson_print = entered.lesson_print AND "          \
    "other.source = entered.source WHERE is_mark(other.verdict) ORDER BY run.id DESC LIMIT 1), id) END FROM grading "  \
    "entered WHERE id = attempt.grading)"

enum status gradebook_attempts(struct gradebook *book, struct arena *arena, struct gradebook_attempt **attempts,
                               size_t *count, struct diagnostic *diagnostic)
{
    struct attempt_list list = {.arena = arena};
    enum status status = gradebook_query(
        book, diagnostic, take_listed, &list,
        "SELECT name, submission.lesson, path, state, number, count(number) OVER (PARTITION BY "
        "submission.id), handed_in, grading.id, grading.id <> attempt.grading, " RESULT_COLUMNS
        " FROM submission JOIN student ON student = student.id LEFT JOIN attempt ON submission = submission.id LEFT "
        "JOIN grading ON grading.id = " RESULT_GRADING " ORDER BY name, submission.lesson, number",
        "");
    size_t bytes = list.count * sizeof *list.items;
    *count = status ? 0 : list.count;
    *attempts = arena_alloc(arena, bytes + 1);
    if (list.items)
        memcpy(*attempts, list.items, bytes);
    free(list.items);
    return status;
}

// ---- the course

enum status gradebook_set_course(struct gradebook *book, const char *path, const char *text,
                                 struct diagnostic *diagnostic)
{
    return gradebook_query(book, diagnostic, NULL, NULL, "INSERT OR REPLACE INTO course VALUES (1, ?1, ?2)", "bb", path,
                           strlen(path), text, strlen(text));
}

struct course_text {
    struct arena *arena;
    const char *path, *text;
};

static void take_course(void *into, sqlite3_stmt *row)
{
    struct course_text *course = into;
    course->path = column_bytes(course->arena, row, 0);
    course->text = column_bytes(course->arena, row, 1);
}

enum status gradebook_course(struct gradebook *book, struct arena *arena, const char **path, const char **text,
                             struct diagnostic *diagnostic)
{
    struct course_text course = {.arena = arena};
    enum status status = gradebook_query(book, diagnostic, take_course, &course, "SELECT path, text FROM course", "");
    *path = course.path;
    *text = course.text;
    return status;
}
