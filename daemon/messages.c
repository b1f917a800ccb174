// SPDX-License-Identifier: GPL-2.0-or-later
// Journal messages
#include "daemon/messages.h"

#include <stddef.h>
#include <syslog.h>

const struct message_type message_types[N_MESSAGES] = {
    [MESSAGE_STARTED] = { "9fff72c6824841c389eef0d4ddc79a1b", "started", LOG_INFO },
    [MESSAGE_STOPPED] = { "ecb258ad3c1e4efc90b262d7389b3f32", "stopped", LOG_INFO },
    [MESSAGE_RELOADED] = { "337ba3d50329427e9d84088660d9fc44", "reloaded", LOG_INFO },
    [MESSAGE_CONFIG_PROBLEM] = { "8a03e453c1f74363a14a4e5fd7de5d01", "config-problem",
            LOG_WARNING },
    [MESSAGE_ALERT_BEGIN] = { "2ae1f56d97bf4b108cda4c07528bd7b2", "alert-begin", LOG_WARNING },
    [MESSAGE_ALERT_REMINDER] = { "4479e127ec4c493e8a2290a255a5d7d2", "alert-reminder",
            LOG_WARNING },
    [MESSAGE_ALERT_CHANGED] = { "eb389dbdbf5744408ccbd771602b493c", "alert-changed", LOG_WARNING },
    [MESSAGE_ALERT_END] = { "9153661587894dd1be04075110b4c640", "alert-end", LOG_NOTICE },
    [MESSAGE_ALERT_PROGRAM_FAILED] = { "3e04b889ca124881a027f2ba2566e30a", "alert-program-failed",
            LOG_WARNING },
    [MESSAGE_STORE_FAILED] = { "b42274a7e32a425ca65425be0231ba73", "store-failed", LOG_ERR },
    [MESSAGE_STORE_RECOVERED] = { "605b6f8c396a4af6b20f7803e5ee5ab7", "store-recovered",
            LOG_NOTICE },
    [MESSAGE_STORE_SET_ASIDE] = { "a19c9fcfe50642ff93962f4e82dec075", "store-set-aside", LOG_ERR },
    [MESSAGE_STORE_REFUSED] = { "279547bc19704faa8ae593a86557c28c", "store-refused", LOG_ERR },
    [MESSAGE_FAILED] = { "98ff3bd8af024d90a9adbe4fe0c2ab3e", "failed", LOG_ERR },
    [MESSAGE_NONE] = { NULL, "none", LOG_INFO },
};
