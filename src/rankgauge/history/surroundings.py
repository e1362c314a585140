"""Where a number was made: branch, commit and author, as git and the variables of CI tell them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

__all__ = ["surroundings"]

_VARIABLES = {
    "commit": ("GITHUB_SHA", "CI_COMMIT_SHA", "BUILD_VCS_NUMBER", "GIT_COMMIT"),
    "branch": ("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "GIT_BRANCH"),
    "author": ("GITHUB_ACTOR", "GITLAB_USER_LOGIN"),
    "job": ("GITHUB_RUN_ID", "CI_PIPELINE_ID", "BUILD_NUMBER"),
}
"""Of GitHub Actions, GitLab and Jenkins, the first that is set."""
_PATIENCE = 2  # seconds


def surroundings(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Labels that say where this is run; nothing where nothing is known."""
    known = os.environ if variables is None else variables
    found = {name: value for name, keys in _VARIABLES.items() if (value := _first(known, keys))}
    if "GITHUB_ACTIONS" in known or "GITLAB_CI" in known or "CI" in known:
        found["environment"] = "ci"
    if "commit" not in found:
        found |= _of_git()
    return found


def _first(known: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((known[key] for key in keys if known.get(key)), "")


def _of_git() -> dict[str, str]:
    asked = ["git", "log", "-1", "--format=%H%n%D%n%an", "--decorate=short"]
    try:
        told = subprocess.run(asked, capture_output=True, timeout=_PATIENCE, check=True).stdout.decode(errors="replace")
        commit, refs, author = (*told.split("\n"), "", "", "")[:3]
    except (OSError, subprocess.SubprocessError):
        return {}
    branch = next((r.partition("-> ")[2] for r in refs.split(", ") if r.startswith("HEAD -> ")), "")
    return {name: value for name, value in (("commit", commit), ("branch", branch), ("author", author)) if value}
