#include "cli/pool.h"

#include <poll.h>
#include <string.h>

#include "grade/worker.h"

enum { POLL_MILLISECONDS = 200 };

struct pool {
    struct pool_job *jobs;
    size_t count, next, done;
    const struct grade_options *options;
    struct grade_handle *handles[POOL_WORKERS];
    struct pool_job *running[POOL_WORKERS];
    pool_progress *progress;
    void *context;
};

static void finish(struct pool *pool, struct pool_job *job)
{
    pool->done++;
    if (pool->progress)
        pool->progress(pool->context, job, pool->done, pool->count);
}

// Gives an idle worker the next job that can be started.
static void start(struct pool *pool, int worker)
{
    while (!pool->handles[worker] && pool->next < pool->count) {
        struct pool_job *job = &pool->jobs[pool->next++];
        struct grade_options options = *pool->options;
        options.source = job->source;
        if (grade_start(job->lesson, &options, 0, &pool->handles[worker], &job->error) == STATUS_OK)
            pool->running[worker] = job;
        else
            finish(pool, job);
    }
}

static void collect(struct pool *pool, int worker)
{
    struct grade_event event;
    struct pool_job *job = pool->running[worker];
    while (grade_poll(pool->handles[worker], &event)) {
        if (event.kind == GRADE_EVENT_REPORT)
            job->report = event.report;
        else if (event.kind == GRADE_EVENT_FAILED)
            job->error = event.diagnostic;
    }
    if (!grade_is_done(pool->handles[worker]))
        return;
    grade_cancel(pool->handles[worker]);
    pool->handles[worker] = NULL;
    if (!job->report && job->error.code == STATUS_OK)
        diagnostic_set(&job->error, STATUS_INTERNAL, "the worker ended without a report");
    finish(pool, job);
}

void pool_run(struct pool_job *jobs, size_t count, const struct grade_options *options, pool_progress *progress,
              void *context)
{
    struct pool pool = {.jobs = jobs, .count = count, .options = options, .progress = progress, .context = context};
    while (pool.done < count) {
        struct pollfd descriptors[POOL_WORKERS];
        nfds_t used = 0;
        for (int i = 0; i < POOL_WORKERS; i++) {
            start(&pool, i);
            if (pool.handles[i])
                descriptors[used++] = (struct pollfd){.fd = grade_descriptor(pool.handles[i]), .events = POLLIN};
        }
        if (used)
            poll(descriptors, used, POLL_MILLISECONDS);
        for (int i = 0; i < POOL_WORKERS; i++)
            if (pool.handles[i])
                collect(&pool, i);
    }
}

void pool_free(struct pool_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (jobs[i].report)
            grade_report_free(jobs[i].report);
}
