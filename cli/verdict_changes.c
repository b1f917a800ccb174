// SPDX-License-Identifier: GPL-2.0-or-later
// Changes for people
#include <stdlib.h>

#include "cli/locus.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

static const struct {
    const char *words;
    enum style style;
} verdicts[] = {
    [CHANGE_CURED] = { "cured", STYLE_GOOD },
    [CHANGE_NO_EFFECT] = { "no effect", STYLE_BOLD },
    [CHANGE_BETTER] = { "better", STYLE_GOOD },
    [CHANGE_WORSE] = { "worse", STYLE_WARNING },
    [CHANGE_MOVED] = { "moved", STYLE_WARNING },
    [CHANGE_TOO_EARLY] = { "too early to tell", STYLE_BOLD },
};

// "03:08:00 net.core.rmem_default, 208 KiB to 4 MiB: cured (100/s lost before, 0/s after)"
static char *change_text(const struct verdict_page *page, const struct change *change) {
    char *text = NULL, moment[MOMENT_SIZE];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s %s, %s to %s: %s", moment_format_short(change->at_ms, page->now_ms, moment),
            change->what, change->from, change->to, verdicts[change->verdict].words);
    if (change->moved_to)
        fprintf(out, " to the %s", locus_name(change->moved_to));
    fputs(" (lost before: ", out);
    text_put_rate(out, change->before_rate);
    fputs(" in ", out);
    text_put_duration(out, change->before_seconds);
    fputs(", after: ", out);
    text_put_rate(out, change->after_rate);
    fputs(" in ", out);
    text_put_duration(out, change->after_seconds);
    fputc(')', out);
    fclose(out);
    return text;
}

void verdict_put_changes(const struct verdict_page *page, const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_changes; i++) {
        const struct change *change = &verdict->changes[i];
        _cleanup_free_ char *text = change_text(page, change);
        page_put(page, 0, "change", verdicts[change->verdict].style, text);
    }
}
