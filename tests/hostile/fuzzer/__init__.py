"""Valid inputs, mutated: no input becomes a wrong number, no output is a traceback.

    tables      small data of every kind, as rows of plain values
    meanings    what a mutated input must give: the same number, that of other rows, an error, or a remark
    naive       files and objects read as their formats are defined, without the package
    files       tables as files of every format, and how a file may look without meaning anything else
    objects     tables as Python objects, and objects that are nearly tables
    mutations/  bytes, lines, fields, encodings, archives, folders, documents (JSON, TOML), objects, words
    seeds/      every command and every public function, with valid input
    checks      what is asked of every answer
    cases       a number → one case: a seed, one mutation, its check
    worker      runs cases in a process of its own, with limits
    pool        two workers and a watchdog

A case is a number. `make fuzz CASE=12345` runs exactly that one; `make fuzz` runs 100,000.
"""
