// SPDX-License-Identifier: GPL-2.0-or-later
// Suite runner
//
// Every test program is one check suite, printed as TAP for meson.
#pragma once

#include <check.h>
#include <stdlib.h>

static inline int suite_main(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
