// The views by name, and what those that are one page of text have in common.
#include "ui/view.h"

static const struct view_ops *const views[VIEW_COUNT] = {&view_home,      &view_lesson, &view_banks, &view_global,
                                                         &view_step,      &view_report, &view_play,  &view_timeline,
                                                         &view_occupancy, &view_help};

struct pane view_pane(struct app *app)
{
    if (views[app->view]->pane)
        return views[app->view]->pane(app);
    struct pane pane = {.rect = view_frame(app).body};
    page_init(&pane.page, pane.rect.width - 1, app->canvas.ascii);
    pane.scroll = views[app->view]->page(app, &pane.page);
    return pane;
}

void view_draw(struct app *app, struct rect body)
{
    if (views[app->view]->draw) {
        bool is_of_run = ((IN_PICTURE | IN_TIMELINE) & (1u << app->view)) != 0;
        bool is_picture = (IN_PICTURE & (1u << app->view)) != 0;
        if (is_picture && app->asked.report)
            body = question_draw(app, &app->canvas, body);
        views[app->view]->draw(app, &app->canvas, body);
        if (is_of_run && !app->asked.report && app_pictured(app) != app_report(app)) {
            canvas_role(&app->canvas, body, ROLE_DIM);
            canvas_right(&app->canvas, body.x + body.width - 1, body.y, ROLE_BAD,
                         " the last save did not run (1: why); this is the run before ");
        }
        return;
    }
    struct pane pane = view_pane(app);
    pane_draw(&pane, &app->canvas, app->match);
    page_free(&pane.page);
}

bool view_act(struct app *app, enum action action)
{
    const struct view_ops *view = views[app->view];
    if (view->act && view->act(app, action))
        return true;
    if (!view->page && !view->pane)
        return false;
    struct pane pane = view_pane(app);
    bool known = pane_act(&pane, action);
    page_free(&pane.page);
    return known;
}

bool view_find(struct app *app, int direction)
{
    const struct view_ops *view = views[app->view];
    if (view->find)
        return view->find(app, direction);
    if (!view->page && !view->pane)
        return false;
    struct pane pane = view_pane(app);
    bool found = pane_find(&pane, app->match, direction);
    page_free(&pane.page);
    return found;
}

bool view_key(struct app *app, uint32_t key)
{
    return views[app->view]->key && views[app->view]->key(app, key);
}
