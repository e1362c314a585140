-- What is kept of evaluations. Written in the SQL that SQLite and PostgreSQL share; BLOB is BYTEA there.

CREATE TABLE id_list (
    digest TEXT PRIMARY KEY,
    n INTEGER NOT NULL,
    data BLOB NOT NULL -- texts as JSON, zlib: ids of queries are kept once, however many evaluations have them
);

CREATE TABLE entry (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL, -- UTC, as text that sorts by time
    project TEXT NOT NULL,
    system TEXT NOT NULL,
    version TEXT NOT NULL,
    dataset TEXT NOT NULL,
    kind TEXT NOT NULL,
    schema INTEGER NOT NULL,
    state TEXT NOT NULL, -- of a decision: pass, fail, inconclusive
    labels TEXT NOT NULL, -- JSON
    contract TEXT NOT NULL, -- JSON: what must be equal for two numbers to be of the same thing
    queries TEXT NOT NULL, -- which list has the ids of its queries, or nothing
    body BLOB NOT NULL, -- the record as JSON, zlib, without its long columns
    pruned TEXT NOT NULL -- when its long columns were taken away, or nothing
);
CREATE INDEX entry_by_time ON entry (project, at);
CREATE INDEX entry_by_system ON entry (project, system, at);

CREATE TABLE list_use ( -- who has which list of ids: one that nobody has any more can go
    entry TEXT NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    digest TEXT NOT NULL REFERENCES id_list (digest),
    PRIMARY KEY (entry, digest)
);
CREATE INDEX list_use_by_digest ON list_use (digest);

CREATE TABLE label (
    entry TEXT NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (entry, name)
);
CREATE INDEX label_by_value ON label (name, value);

CREATE TABLE summary (
    entry TEXT NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    measure TEXT NOT NULL,
    definition TEXT NOT NULL,
    attribute TEXT NOT NULL, -- of a slice, or nothing
    part TEXT NOT NULL, -- its value
    value DOUBLE PRECISION, -- NULL is not a number
    low DOUBLE PRECISION,
    high DOUBLE PRECISION,
    error DOUBLE PRECISION,
    n INTEGER NOT NULL,
    PRIMARY KEY (entry, measure, attribute, part)
);

CREATE TABLE numbers (
    entry TEXT NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    path TEXT NOT NULL, -- where in the record
    type TEXT NOT NULL,
    n INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (entry, path)
);

CREATE TABLE head (
    entry TEXT NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    query TEXT NOT NULL,
    data BLOB NOT NULL, -- the first results of a list as JSON, zlib
    PRIMARY KEY (entry, query)
);
CREATE INDEX head_by_query ON head (query);

CREATE TABLE event (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    project TEXT NOT NULL,
    entry TEXT NOT NULL, -- or nothing
    kind TEXT NOT NULL, -- note, tag, baseline, alert, acknowledged, delivered
    who TEXT NOT NULL,
    text TEXT NOT NULL,
    data TEXT NOT NULL -- JSON
);
CREATE INDEX event_by_time ON event (project, at);
CREATE INDEX event_by_entry ON event (entry);
