"""The page that lists the commands has their first words at hand, and they are those of the commands."""

import click
import pytest

from rankgauge.cli.app import COMMANDS, app
from rankgauge.cli.contents import CONTENTS


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_listed_command_is_said_as_its_own_help_begins(name: str, language: str) -> None:
    command = app.get_command(click.Context(app), name)
    assert command is not None

    whole = command._words["help"].of(language)  # type: ignore[attr-defined]

    assert CONTENTS[name].of(language) == " ".join(whole.partition("\n\n")[0].split("\n"))
