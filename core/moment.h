// SPDX-License-Identifier: GPL-2.0-or-later
// Moments in time
#pragma once

#include <stddef.h>
#include <stdint.h>

// Understands what systemd.time(7) accepts as time stamps and relative times ("2026-11-30 03:12",
// "03:12:45", "today", "yesterday", "10min ago", "-2h", "+30s", "@1764471123", "now") and ISO 8601
// ("2026-11-30T03:12:45Z", "+01:00"). `now_ms` is the wall clock. 0, or -EINVAL.
int moment_parse(const char *text, int64_t now_ms, int64_t *ret_ms);
// A time span of systemd.time(7): "10min", "1h 30min", "45", "500ms". 0, or -EINVAL.
int moment_parse_span(const char *text, int64_t *ret_ms);
// RFC 3339 in local time with its offset, with milliseconds if not 0: buffer of at least
// MOMENT_SIZE. Returns buffer.
#define MOMENT_SIZE 40
char *moment_format(int64_t ms, char *buffer);
// "03:12:45", or "2026-11-29 03:12:45" when not of the day of now_ms.
char *moment_format_short(int64_t ms, int64_t now_ms, char *buffer);
