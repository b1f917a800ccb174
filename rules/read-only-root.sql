-- SPDX-License-Identifier: GPL-2.0-or-later
-- rule       read-only-root
-- kind       note
-- explains   -
-- text       {mount} ({device}) is mounted read-only: on purpose, or after an error of its disk (see dmesg)
-- needs      mount.read_only
-- ref        ext4 errors=remount-ro; a reader that cannot write its log may block
SELECT mount, device FROM mount WHERE mount IN ('/', '/var', '/var/log') AND read_only = 1;
