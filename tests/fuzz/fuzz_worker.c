// Both ends of a worker's pipes: what a hostile worker may print, line by line, for a job of each kind, and what a
// worker may be told. The first byte chooses. A job is done after its last event and never before; an event has what it
// needs.
#include "grade/worker.c" // for read_event and the job's fields

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void read_job_of(const char *text)
{
    struct worker_job job = {0};
    struct arena *arena = arena_new();
    json_t *json = json_loads(text, 0, NULL);
    fields_read(&job_fields, json, arena, &job);
    if (job.kind > JOB_KINDS)
        abort();
    json_decref(json);
    arena_free(arena);
}

static void read_lines(char *text, enum job_kind kind)
{
    struct grade_handle handle = {.kind = kind, .lesson_id = "04-padding"};
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line && !handle.done; line = strtok_r(NULL, "\n", &rest)) {
        struct grade_event event = {0};
        if (!read_event(&handle, line, &event)) {
            if (handle.done || event.report || event.recording.count)
                abort();
            continue;
        }
        if (event.kind == GRADE_EVENT_REPORT && (!event.report || !handle.done))
            abort();
        grade_report_free(event.report);
        recording_free(&event.recording);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (!size)
        return 0;
    char *text = mem_strndup((const char *)data + 1, size - 1);
    if (data[0] % 4 == JOB_KINDS)
        read_job_of(text);
    else
        read_lines(text, (enum job_kind)(data[0] % 4));
    free(text);
    return 0;
}
