// The mouse: what a press or a turn of the wheel means is looked up among the places that the views drew.
#include "ui/view.h"

static const double SECOND_PRESS_SECONDS = 0.4;
enum { WHEEL_LINES = 3 };

// Whether this press follows another on the same place closely enough to open what the first one chose.
static bool is_second(struct app *app, const struct target *target)
{
    const struct target *last = &app->pressed;
    bool second = last->kind == target->kind && last->value == target->value &&
                  app->now - app->pressed_at <= SECOND_PRESS_SECONDS;
    app->pressed = *target;
    app->pressed_at = second ? -1 : app->now; // a third press begins anew
    return second;
}

static struct access_list *list_of_view(struct app *app)
{
    return app->view == VIEW_GLOBAL ? &app->global : app->view == VIEW_PLAY ? &app->play.list : &app->banks.list;
}

// The lane of the place; of two in one cell the one that is not chosen yet.
static void choose_lane(struct access_list *list, const struct target *target)
{
    bool other = target->other >= 0 && list->lane == (uint32_t)target->value;
    list->lane = (uint32_t)(other ? target->other : target->value);
}

static void choose_site(struct access_list *list, int index)
{
    if (list->rows.cursor != index)
        list->instance = 0;
    list->rows.cursor = index;
}

static void choose_target(struct app *app, const struct target *target, int x)
{
    switch ((enum target_kind)target->kind) {
    case TARGET_ACTION:
        app_act(app, (enum action)target->value);
        break;
    case TARGET_LESSON:
        app->home.cursor = target->value;
        break;
    case TARGET_PANE:
        app->source_pane = target->value == 1;
        break;
    case TARGET_SOURCE:
        app->source_pane = true;
        app->source.cursor = target->value;
        break;
    case TARGET_SITE:
        choose_site(list_of_view(app), target->value);
        break;
    case TARGET_LANE:
        choose_lane(list_of_view(app), target);
        break;
    case TARGET_MOMENT:
        app->step.moment = (size_t)(x - target->rect.x) * (size_t)target->value / (size_t)target->rect.width;
        app->step.scrolled = false;
        break;
    case TARGET_WARP:
        step_to_warp(app, (uint32_t)target->value);
        break;
    case TARGET_FIELD:
        app->play.field = (enum play_field)target->value;
        break;
    case TARGET_PALETTE:
        app->prompt.chosen = target->value;
        break;
    case TARGET_WORD:
        app->step.word = (uint64_t)target->value;
        app->step.roaming = true;
        break;
    case TARGET_MEMORY:
        break;
    }
}

// What a second press does; ACTION_NONE: it is one more first press.
static enum action opening(enum target_kind kind)
{
    return kind == TARGET_LESSON   ? ACTION_OPEN
           : kind == TARGET_SITE   ? ACTION_EDIT_LINE
           : kind == TARGET_SOURCE ? ACTION_EDIT
                                   : ACTION_NONE;
}

static void press_button(struct app *app, const struct pointer_event *event)
{
    const struct target *found = canvas_target_at(&app->canvas, event->x, event->y);
    if (app->prompt.kind != PROMPT_NONE && (!found || found->kind != TARGET_PALETTE)) {
        prompt_key(app, KEY_NAME_ESC); // beside it: not meant after all
        return;
    }
    if (!found)
        return;
    const struct target target = *found; // what follows may draw, and so forget the places
    bool second = is_second(app, &target);
    if (second && target.kind == TARGET_PALETTE)
        prompt_key(app, KEY_NAME_ENTER);
    else if (second && opening((enum target_kind)target.kind) != ACTION_NONE)
        app_act(app, opening((enum target_kind)target.kind));
    else
        choose_target(app, &target, event->x);
}

static void wheel_pane(struct app *app, bool source, enum action action)
{
    bool focused = app->source_pane;
    app->source_pane = source;
    for (int i = 0; i < WHEEL_LINES; i++)
        app_act(app, action);
    app->source_pane = focused;
}

// What is under the pointer scrolls, or moves by one.
static void turn_wheel(struct app *app, const struct pointer_event *event)
{
    const struct target *target = canvas_target_at(&app->canvas, event->x, event->y);
    bool down = event->kind == POINTER_WHEEL_DOWN;
    enum action action = down ? ACTION_DOWN : ACTION_UP;
    int kind = target ? target->kind : -1;
    if (app->prompt.kind != PROMPT_NONE) {
        if (app->prompt.kind == PROMPT_PALETTE)
            prompt_key(app, down ? KEY_NAME_DOWN : KEY_NAME_UP);
    } else if (kind == TARGET_PANE || kind == TARGET_SOURCE) {
        wheel_pane(app, kind == TARGET_SOURCE || target->value == 1, action);
    } else if (kind == TARGET_MEMORY || kind == TARGET_WORD) {
        app->step.memory.top += down ? WHEEL_LINES : -WHEEL_LINES;
        app->step.scrolled = true;
    } else if (kind == TARGET_LANE) {
        app_key(app, down ? KEY_NAME_RIGHT : KEY_NAME_LEFT);
    } else if (app->view != VIEW_PLAY) {
        int lines = app->view == VIEW_REPORT || app->view == VIEW_HELP ? WHEEL_LINES : 1;
        for (int i = 0; i < lines; i++)
            app_act(app, action);
    }
}

void app_pointer(struct app *app, const struct pointer_event *event)
{
    app->message[0] = '\0';
    app_draw(app); // the places as they are now, whatever keys came since the last drawing
    if (event->kind == POINTER_PRESS)
        press_button(app, event);
    else if (event->kind != POINTER_NONE)
        turn_wheel(app, event);
}
