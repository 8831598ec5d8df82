// course.cfg, and marks by it.
#include "course/course.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/settings.h"

static const int64_t second = 1000000000;
static const double most_weight = 1e6;
enum { COURSE_MAX = 1 << 20 }; // bytes of the file

// ---- due dates

// "+01:00" or "-0730" as seconds; false: it is none.
static bool read_offset(const char *zone, long *seconds)
{
    int hours, minutes, length = 0;
    if ((zone[0] != '+' && zone[0] != '-') || (sscanf(zone + 1, "%2d:%2d%n", &hours, &minutes, &length) != 2 &&
                                               sscanf(zone + 1, "%2d%2d%n", &hours, &minutes, &length) != 2))
        return false;
    *seconds = (hours * 3600L + minutes * 60L) * (zone[0] == '-' ? -1 : 1);
    return zone[1 + length] == '\0' && hours >= 0 && hours <= 14 && minutes >= 0 && minutes < 60;
}

// The C library takes a zone that it does not know for UTC.
static bool is_zone(const char *zone)
{
    char path[512];
    const char *folder = getenv("TZDIR");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/usr/share/zoneinfo", zone);
    return zone[0] != '/' && zone[0] != '.' && !strstr(zone, "..") && file_exists(path) && !file_is_folder(path);
}

static time_t time_in_zone(struct tm *when, const char *zone)
{
    const char *before = getenv("TZ");
    char *kept = before ? mem_strdup(before) : NULL;
    setenv("TZ", zone, 1);
    tzset();
    time_t time = mktime(when);
    if (kept)
        setenv("TZ", kept, 1);
    else
        unsetenv("TZ");
    tzset();
    free(kept);
    return time;
}

// *why: what is wrong with it.
static bool read_due(const char *text, const char *time_zone, int64_t *due, const char **why)
{
    struct tm when = {.tm_isdst = -1};
    int length = 0;
    long offset = 0;
    *why = "is no time such as \"2026-11-30 23:59\" or \"2026-11-30 23:59 Europe/Berlin\"";
    if (sscanf(text, "%4d-%2d-%2d %2d:%2d%n", &when.tm_year, &when.tm_mon, &when.tm_mday, &when.tm_hour, &when.tm_min,
               &length) != 5)
        return false;
    const char *zone = text + length + strspn(text + length, " ");
    if (*zone && zone == text + length)
        return false;
    zone = *zone ? zone : time_zone ? time_zone : "UTC";
    when.tm_year -= 1900;
    when.tm_mon -= 1;
    struct tm asked = when;
    bool by_offset = strcmp(zone, "UTC") == 0 || read_offset(zone, &offset);
    *why = "names a time zone that this machine does not know. Write an offset, as in +01:00, or install tzdata";
    if (!by_offset && !is_zone(zone))
        return false;
    time_t time = by_offset ? timegm(&when) - offset : time_in_zone(&when, zone);
    *why = "is a time that there is not";
    *due = clock_wall_of(time, 0);
    if (time < 0)
        *why = "lies before 1970";
    return time >= 0 && when.tm_year == asked.tm_year && when.tm_mon == asked.tm_mon && when.tm_mday == asked.tm_mday &&
           when.tm_hour == asked.tm_hour && when.tm_min == asked.tm_min;
}

// ---- course.cfg

static enum status check_lesson(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct course *course = reader->context;
    struct course_lesson *lesson = into;
    const char *why;
    if (!config_setting_get_member(setting, "weight"))
        lesson->weight = 1;
    if (!(lesson->weight >= 0 && lesson->weight <= most_weight))
        return settings_fail(reader, config_setting_get_member(setting, "weight"),
                             "a weight is a number from 0 to %.0f.", most_weight);
    if (lesson->due && !read_due(lesson->due, course->time_zone, &lesson->time, &why))
        return settings_fail(reader, config_setting_get_member(setting, "due"), "\"%.80s\" %s.", lesson->due, why);
    return STATUS_OK;
}

static enum status check_course(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct course *course = into;
    long ignored;
    if (course->time_zone && strcmp(course->time_zone, "UTC") != 0 && !read_offset(course->time_zone, &ignored) &&
        !is_zone(course->time_zone))
        return settings_fail(reader, config_setting_get_member(setting, "time_zone"),
                             "this machine does not know the time zone \"%.80s\". Write an offset, as in +01:00, or "
                             "install tzdata.",
                             course->time_zone);
    if (course->late_days < 0)
        return settings_fail(reader, config_setting_get_member(setting, "late_days"),
                             "late_days is a whole number from 0.");
    if (!(course->late_penalty >= 0 && course->late_penalty <= 100))
        return settings_fail(reader, config_setting_get_member(setting, "late_penalty"),
                             "late_penalty is a percentage from 0 to 100.");
    for (size_t i = 0; i < course->lesson_count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(course->lessons[i].name, course->lessons[j].name) == 0)
                return settings_fail(reader, config_setting_get_member(setting, "lessons"),
                                     "\"%.60s\" is there twice; a lesson counts once.", course->lessons[i].name);
    return STATUS_OK;
}

static const char *const attempt_names[] = {"last", "best"};
static const struct settings_words attempt_words = {"attempt", attempt_names, 2, NULL};

#define F(type, member) .name = #member, .kind = SETTINGS_##type, .offset = offsetof(struct course_lesson, member)
static const struct settings_field lesson_fields[] = {
    {F(STRING, name), .required = true}, {F(NUMBER, weight)}, {F(STRING, due)}};
#undef F
static const struct settings_table lesson_table =
    SETTINGS_TABLE("a lesson of the course", course_lesson, lesson_fields, 0, check_lesson);

#define F(type, member) .name = #member, .kind = SETTINGS_##type, .offset = offsetof(struct course, member)
static const struct settings_field course_fields[] = { // time_zone stands before what it is for
    {F(STRING, time_zone)},
    {F(WHOLE, late_days)},
    {F(NUMBER, late_penalty)},
    {F(WORD, attempt), .words = &attempt_words},
    {F(LIST, lessons), .count = offsetof(struct course, lesson_count), .table = &lesson_table}};
#undef F
static const struct settings_table course_table = SETTINGS_TABLE("course.cfg", course, course_fields, 0, check_course);

enum status course_read(const char *path, const char *text, struct arena *arena, struct course *course,
                        struct diagnostic *diagnostic)
{
    *course = (struct course){0};
    if (!text)
        return STATUS_OK;
    config_t config;
    struct settings_reader reader = {.file = path, .arena = arena, .diagnostic = diagnostic, .context = course};
    enum status status;
    config_init(&config);
    if (config_read_string(&config, text) == CONFIG_TRUE)
        status = settings_read(&reader, config_root_setting(&config), &course_table, course);
    else
        status = diagnostic_at(diagnostic, STATUS_PARSE, path, config_error_line(&config), 0, "%s.",
                               config_error_text(&config));
    config_destroy(&config);
    return status;
}

enum status course_load(const char *path, struct arena *arena, const char **text, struct course *course,
                        struct diagnostic *diagnostic)
{
    char *read;
    size_t length;
    enum status status = file_read(path, COURSE_MAX, &read, &length, diagnostic);
    if (status)
        return status;
    *text = arena_strdup(arena, read);
    free(read);
    if (strlen(*text) != length)
        return diagnostic_at(diagnostic, STATUS_PARSE, path, 0, 0, "the file holds a zero byte.");
    return course_read(path, *text, arena, course, diagnostic);
}

enum status course_of(struct gradebook *book, struct arena *arena, struct course *course, struct diagnostic *diagnostic)
{
    const char *path, *text;
    enum status status = gradebook_course(book, arena, &path, &text, diagnostic);
    return status ? status : course_read(path, text, arena, course, diagnostic);
}

bool course_names(const char *name, const char *id)
{
    const char *dash = strchr(id, '-');
    char *end;
    long number = strtol(name, &end, 10);
    return strcmp(name, id) == 0 || (dash && strcmp(name, dash + 1) == 0) ||
           (*name && !*end && dash && number == strtol(id, NULL, 10));
}

const struct course_lesson *course_again(const struct course *course, const char *id)
{
    const struct course_lesson *first = course_lesson(course, id);
    for (size_t i = 0; i < course->lesson_count; i++)
        if (&course->lessons[i] != first && course_names(course->lessons[i].name, id))
            return &course->lessons[i];
    return NULL;
}

const struct course_lesson *course_lesson(const struct course *course, const char *id)
{
    static const struct course_lesson any = {.name = "", .weight = 1};
    for (size_t i = 0; i < course->lesson_count; i++)
        if (course_names(course->lessons[i].name, id))
            return &course->lessons[i];
    return course->lesson_count ? NULL : &any;
}

// ---- marks

int course_days_late(double seconds)
{
    return seconds > 0 ? (int)fmin(ceil(seconds / 86400.0), 100000) : 0;
}

double course_late_share(int days, int late_days, double late_penalty)
{
    return late_days >= 0 && days > late_days ? 0 : fmax(0, 1 - late_penalty / 100 * days);
}

static struct course_mark mark_attempt(const struct course *course, const struct course_lesson *lesson,
                                       const struct gradebook_attempt *attempt)
{
    struct course_mark mark = {.student = attempt->student,
                               .lesson = attempt->lesson,
                               .weight = lesson->weight,
                               .attempt = attempt,
                               .is_known = !attempt->number ||
                                           (attempt->result.is_graded && verdict_exit(attempt->result.verdict) < 2)};
    int64_t late;
    if (__builtin_sub_overflow(attempt->time, lesson->time, &late))
        late = attempt->time > lesson->time ? INT64_MAX : INT64_MIN;
    if (lesson->due && attempt->number)
        mark.late_days = course_days_late((double)late / (double)second);
    if (mark.is_known)
        mark.mark = attempt->result.score * course_late_share(mark.late_days, course->late_days, course->late_penalty);
    if (!attempt->number && attempt->state == GRADEBOOK_UNREADABLE)
        mark.is_known = false;
    return mark;
}

struct course_mark *course_marks(const struct course *course, const struct gradebook_attempt *attempts, size_t count,
                                 struct arena *arena, size_t *mark_count)
{
    struct course_mark *marks = arena_alloc(arena, (count + 1) * sizeof *marks);
    *mark_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct course_lesson *lesson = course_lesson(course, attempts[i].lesson);
        if (!lesson)
            continue;
        struct course_mark mark = mark_attempt(course, lesson, &attempts[i]), *before;
        if (attempts[i].number <= 1) {
            marks[(*mark_count)++] = mark;
            continue;
        }
        before = &marks[*mark_count - 1];
        bool both_known = before->is_known && mark.is_known;
        if (course->attempt == COURSE_LAST || mark.mark > before->mark)
            *before = mark;
        if (course->attempt == COURSE_BEST)
            before->is_known = both_known;
    }
    return marks;
}

double course_total(const struct course_mark *marks, size_t left, size_t *count, bool *is_known)
{
    double points = 0, weights = 0;
    *is_known = true;
    for (*count = 0; *count < left && strcmp(marks[*count].student, marks->student) == 0; ++*count) {
        points += marks[*count].weight * marks[*count].mark;
        weights += marks[*count].weight;
        *is_known &= marks[*count].is_known;
    }
    return weights > 0 ? points / weights : 0;
}
