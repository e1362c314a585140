"""A value that is computed when it is first asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

__all__ = ["kept"]

T = TypeVar("T")


class kept(Generic[T]):
    """`functools.cached_property` without a lock.

    In Python 3.11 that has one lock for all objects of a class, so that threads with an object each wait for each
    other. Two threads that share an object may both compute the value here, and one of the two equal ones stays.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> kept[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> kept[T] | T:
        if instance is None:
            return self
        value = self._function(instance)
        instance.__dict__[self._name] = value  # found before this is asked again
        return value
