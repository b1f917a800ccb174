// SPDX-License-Identifier: GPL-2.0-or-later
// Journal messages
//
// The catalog (systemd/udpdiag.catalog) explains each by its MESSAGE_ID, which never changes.
#pragma once

enum message {
    MESSAGE_STARTED,
    MESSAGE_STOPPED,
    MESSAGE_RELOADED,
    MESSAGE_CONFIG_PROBLEM,
    MESSAGE_ALERT_BEGIN,
    MESSAGE_ALERT_REMINDER,
    MESSAGE_ALERT_CHANGED,
    MESSAGE_ALERT_END,
    MESSAGE_ALERT_PROGRAM_FAILED,
    MESSAGE_STORE_FAILED,
    MESSAGE_STORE_RECOVERED,
    MESSAGE_STORE_SET_ASIDE,
    MESSAGE_STORE_REFUSED,
    MESSAGE_FAILED,
    N_MESSAGES,
};

struct message_type {
    const char *id; // 128 bits in hex
    int priority;   // syslog(3)
};
extern const struct message_type message_types[N_MESSAGES];
