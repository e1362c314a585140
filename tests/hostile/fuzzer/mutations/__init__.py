"""What is done to valid input. Each mutation is registered with the kinds of slots that it can be done to."""

from . import archives, documents, encodings, fields, folders, lines, looks, matrices, objects, raw, words
from .registry import MUTATIONS, Mutation, mutations_of

__all__ = [
    "MUTATIONS",
    "Mutation",
    "archives",
    "documents",
    "encodings",
    "fields",
    "folders",
    "lines",
    "looks",
    "matrices",
    "mutations_of",
    "objects",
    "raw",
    "words",
]
