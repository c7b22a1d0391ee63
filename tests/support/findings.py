# SPDX-License-Identifier: Apache-2.0
"""Asks whyso for its findings as JSON, and runs the mend that stands in one. Knows the document, not the rules."""

import json
import shlex
import subprocess


def ask(whyso, *arguments, env=None):
    """-> exit code, document of `whyso ARGUMENTS --format json`; the document is None where the output is no JSON."""
    run = subprocess.run([whyso, *arguments, "--format", "json"], capture_output=True, text=True, env=env)
    try:
        return run.returncode, json.loads(run.stdout)
    except ValueError:
        return run.returncode, None


def of_level(document, *levels):
    """The findings of these levels, in the order of the document."""
    return [f for f in document["findings"] if f["level"] in levels]


def mends(finding):
    """The commands of the first fix of a finding, each a list of words; [] where it has none."""
    for fix in finding.get("fixes") or []:
        if fix.get("commands"):
            return [shlex.split(c) if isinstance(c, str) else list(c) for c in fix["commands"]]
    return []
