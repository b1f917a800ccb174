// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario parts
#include "lab/scenarios/common.h"

int receive_all(struct lab *lab) {
    return lab_receive(
            lab, LAB_RECEIVER, &(struct reader){ .name = "lab-reader", .rcvbuf = 2000000 }, NULL);
}

int send_damaged(struct lab *lab, enum frame_damage damage, long size) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .mac = LAB_MAC_RECEIVER,
                    .damage = damage,
                    .size = size,
                    .count = 300,
                    .rate = 1000 });
}

int send_small(struct lab *lab) {
    return lab_send(lab, LAB_SENDER, &(struct stream){ .size = 100, .count = 300, .rate = 1000 });
}
