CREATE TABLE IF NOT EXISTS campaign (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  id TEXT NOT NULL, account TEXT NOT NULL,
  status TEXT NOT NULL, status_reason TEXT,
  importing INTEGER NOT NULL, settings TEXT NOT NULL, columns TEXT NOT NULL,
  created_by TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,
  -- where carriers call back
  origin TEXT NOT NULL,
  accepted INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0, duplicates INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0, originated INTEGER NOT NULL DEFAULT 0, connected INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, cancelled INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL DEFAULT 0, hash TEXT NOT NULL DEFAULT '',
  -- counts changes; mirrored is the last one that D1 has
  revision INTEGER NOT NULL DEFAULT 1, mirrored INTEGER NOT NULL DEFAULT 0,
  -- the circuit breaker
  failures INTEGER NOT NULL DEFAULT 0, not_before INTEGER
);
CREATE TABLE IF NOT EXISTS zones (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS contacts (
  id INTEGER PRIMARY KEY,
  -- the digits of the E.164 number
  phone INTEGER NOT NULL,
  -- 0 is the campaign's own zone
  zone INTEGER NOT NULL,
  variables TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending', outcome TEXT, failure_reason TEXT,
  attempts INTEGER NOT NULL DEFAULT 0, last_attempt_at INTEGER,
  -- 0: not dialled yet; null: not to be dialled (an open call, or over)
  next_attempt_at INTEGER DEFAULT 0,
  call_id TEXT, updated_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS attempts (
  call_id TEXT PRIMARY KEY,
  contact INTEGER NOT NULL REFERENCES contacts (id),
  number INTEGER NOT NULL,
  -- dialing: the carrier may or may not have it; placed: it has it; ended
  state TEXT NOT NULL,
  status TEXT NOT NULL, provider TEXT NOT NULL, provider_call_id TEXT,
  dialled_at INTEGER NOT NULL, connected_at INTEGER, ended_at INTEGER,
  -- when to look it up if nothing is heard
  deadline INTEGER,
  outcome TEXT, reason TEXT,
  hangup INTEGER NOT NULL DEFAULT 0,
  -- what the gate is still to be told: renew, free
  lease TEXT,
  -- D1 does not have it as it is
  unmirrored INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS attempts_contact ON attempts (contact, number);
CREATE INDEX IF NOT EXISTS attempts_open ON attempts (deadline) WHERE state <> 'ended';
CREATE INDEX IF NOT EXISTS attempts_dialled ON attempts (dialled_at);
CREATE INDEX IF NOT EXISTS attempts_hangup ON attempts (call_id) WHERE hangup = 1;
CREATE INDEX IF NOT EXISTS attempts_lease ON attempts (call_id) WHERE lease IS NOT NULL;
CREATE INDEX IF NOT EXISTS attempts_unmirrored ON attempts (call_id) WHERE unmirrored = 1;
CREATE TABLE IF NOT EXISTS log (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL, event TEXT NOT NULL, actor TEXT,
  contact INTEGER, status TEXT NOT NULL, previous_status TEXT, attempt INTEGER, call_id TEXT, reason TEXT,
  -- of campaign entries: JSON
  counts TEXT, detail TEXT,
  hash TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS rejects (line INTEGER PRIMARY KEY, reason TEXT NOT NULL, row TEXT NOT NULL, national INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS audits (id TEXT PRIMARY KEY, at INTEGER NOT NULL, action TEXT NOT NULL, actor TEXT NOT NULL, request_id TEXT NOT NULL);
