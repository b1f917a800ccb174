#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fill.py UDPDIAG TEMPLATE OUTPUT: writes TEMPLATE with each line "@VERB@" replaced by what `UDPDIAG verb --man`
prints, so that manual pages and programs share one declaration."""
import re
import subprocess
import sys

program, template, output = sys.argv[1:]


def fragment(match):
    return subprocess.run([program, match.group(1).lower(), "--man"], check=True, capture_output=True, text=True).stdout


with open(template, encoding="utf-8") as source:
    page = re.sub(r"^@([A-Z]+)@\n", fragment, source.read(), flags=re.MULTILINE)
with open(output, "w", encoding="utf-8") as target:
    target.write(page)
