"""A value that is kept, and threads that do not wait for each other."""

from __future__ import annotations

from threading import Barrier, Thread

from rankgauge._kept import kept


class Slow:
    def __init__(self, together: Barrier) -> None:
        self.together, self.asked = together, 0

    @kept
    def value(self) -> int:
        """What it is."""
        self.together.wait(timeout=20)
        self.asked += 1
        return self.asked


def test_it_is_computed_once():
    one = Slow(Barrier(1))

    assert (one.value, one.value, one.asked) == (1, 1, 1)
    assert Slow.value.__doc__ == "What it is."


def test_threads_with_an_object_each_do_not_wait_for_each_other():
    together = Barrier(2)
    both = [Slow(together) for _ in range(2)]
    helper = Thread(target=lambda: both[0].value)

    helper.start()
    assert both[1].value == 1
    helper.join()

    assert [one.asked for one in both] == [1, 1]
