// SPDX-License-Identifier: GPL-2.0-or-later
// Adapters of this host
#include <net/if.h>
#include <stdio.h>
#include <unistd.h>

#include "collectors/list.h"
#include "tests/host/devices.h"

START_TEST(no_adapter_in_a_namespace) {
    struct rig rig;
    NEEDS_NAMESPACE();
    rig_start(&rig, &nic_collector, NULL);
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT); // a veth pair is none
    ck_assert_uint_eq(rig.rows.n, 0);
    rig_stop(&rig);
}
END_TEST

static bool has_hardware(const char *interface) {
    char path[128];
    snprintf(path, sizeof(path), "/sys/class/net/%s/device", interface);
    return access(path, F_OK) == 0;
}

START_TEST(adapters_of_this_host) {
    struct rig rig;
    rig_start(&rig, &nic_collector, NULL);
    for (int look = 0; look < 2; look++) { // the second with what the first has chosen
        rig_look(&rig);
        ck_assert_msg(rig.outcome.state == OUTCOME_OK || rig.outcome.state == OUTCOME_ABSENT, "%s",
                rig.outcome.reason);
        for (size_t i = 0; i < rig.rows.n; i++) {
            ck_assert_str_ne(text_of(&rig.rows, i, "driver"), "");
            cell ring = cell_of(&rig.rows, i, "rx_ring"),
                 most = cell_of(&rig.rows, i, "rx_ring_max");
            ck_assert(ring == CELL_NULL || (ring >= 0 && ring <= most));
        }
    }
    struct if_nameindex *names = if_nameindex();
    for (size_t i = 0; names && names[i].if_index; i++)
        if (has_hardware(names[i].if_name))
            row_of(&rig, names[i].if_name);
    if_freenameindex(names);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("adapters of this host");
    TCase *own = tcase_create("namespace"), *host = tcase_create("host");
    tcase_set_timeout(own, 60);
    tcase_add_checked_fixture(own, enter_namespace, NULL);
    tcase_add_test(own, no_adapter_in_a_namespace);
    tcase_add_test(host, adapters_of_this_host);
    suite_add_tcase(suite, own);
    suite_add_tcase(suite, host);
    return suite_main(suite);
}
