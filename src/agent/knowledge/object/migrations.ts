import { firstStep, type Migration } from "../../../kernel/durable/migrate.ts";
import { OUTBOX } from "../../../kernel/durable/outbox.ts";
import { TOKENIZER } from "../text/words.ts";

const DOCUMENTS = `
  CREATE TABLE documents (
    id TEXT PRIMARY KEY, file_name TEXT NOT NULL, content_type TEXT NOT NULL,
    -- 'processing', 'ready' or 'failed', and why it failed
    status TEXT NOT NULL, reason TEXT,
    -- the number of tries, and the deadline of the current one; null while it waits
    tries INTEGER NOT NULL DEFAULT 0, deadline INTEGER,
    -- the edition that searches use (0 for none), and the newest one, which may be incomplete
    edition INTEGER NOT NULL DEFAULT 0, newest INTEGER NOT NULL DEFAULT 0,
    -- facts about the edition that searches use
    language TEXT, chunks INTEGER NOT NULL DEFAULT 0, chars INTEGER NOT NULL DEFAULT 0,
    words INTEGER NOT NULL DEFAULT 0, refreshed_at INTEGER,
    -- SHA-256 of its text, hexadecimal
    hash TEXT,
    queued_at INTEGER NOT NULL
  );
  CREATE INDEX documents_queue ON documents (queued_at, id) WHERE status = 'processing';
  CREATE INDEX documents_deadline ON documents (deadline) WHERE status = 'processing';
`;

const CHUNKS = `
  CREATE TABLE chunks (
    n INTEGER PRIMARY KEY, document TEXT NOT NULL, edition INTEGER NOT NULL, place INTEGER NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL,
    -- the number of characters at its beginning that repeat the end of the previous chunk
    repeated INTEGER NOT NULL,
    -- the words that find it
    words TEXT NOT NULL
  );
  CREATE UNIQUE INDEX chunks_place ON chunks (document, edition, place);
  CREATE VIRTUAL TABLE chunk_index USING fts5 (
    words, content = 'chunks', content_rowid = 'n', tokenize = "${TOKENIZER}"
  );
  -- Deleted words leave nothing in the index.
  INSERT INTO chunk_index (chunk_index, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE chunk_terms USING fts5vocab ('chunk_index', 'row');
  CREATE TRIGGER chunks_added AFTER INSERT ON chunks BEGIN
    INSERT INTO chunk_index (rowid, words) VALUES (new.n, new.words);
  END;
  CREATE TRIGGER chunks_removed AFTER DELETE ON chunks BEGIN
    INSERT INTO chunk_index (chunk_index, rowid, words) VALUES ('delete', old.n, old.words);
  END;
  CREATE TRIGGER chunks_changed AFTER UPDATE OF words ON chunks BEGIN
    INSERT INTO chunk_index (chunk_index, rowid, words) VALUES ('delete', old.n, old.words);
    INSERT INTO chunk_index (rowid, words) VALUES (new.n, new.words);
  END;
  -- the packed vectors of adjacent chunks, which begin at the chunk \`first\`, and their signs. The
  -- signs come first, because SQLite reads a row up to the column that a query returns.
  CREATE TABLE embeddings (
    document TEXT NOT NULL, edition INTEGER NOT NULL, first INTEGER NOT NULL, model TEXT NOT NULL, signs BLOB NOT NULL,
    vectors BLOB NOT NULL,
    PRIMARY KEY (document, edition, first)
  );
  -- earlier editions that versions of agents still refer to, by the hash of their text
  CREATE TABLE kept (
    document TEXT NOT NULL, edition INTEGER NOT NULL, hash TEXT NOT NULL, chunks INTEGER NOT NULL, chars INTEGER NOT NULL,
    PRIMARY KEY (document, edition)
  );
  -- editions whose chunks are to be deleted
  CREATE TABLE stale (document TEXT NOT NULL, edition INTEGER NOT NULL, PRIMARY KEY (document, edition));
`;

const SITES = `
  CREATE TABLE sites (
    document TEXT PRIMARY KEY, url TEXT NOT NULL, most_pages INTEGER NOT NULL,
    -- the hours between refreshes, when the next is due, and the number of crawls that failed in a row
    refresh_hours INTEGER, due_at INTEGER, failures INTEGER NOT NULL DEFAULT 0,
    -- the current crawl: its origin and robots.txt, when the next request may be sent, and the bytes received
    began_at INTEGER NOT NULL DEFAULT 0, origin TEXT NOT NULL DEFAULT '', robots TEXT,
    not_before INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX sites_due ON sites (due_at) WHERE due_at IS NOT NULL;
  -- the steps of crawls: robots.txt, the address itself, sitemaps, and further pages
  CREATE TABLE pages (
    document TEXT NOT NULL, edition INTEGER NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
    depth INTEGER NOT NULL, rank INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting', reason TEXT,
    tries INTEGER NOT NULL DEFAULT 0, etag TEXT, modified TEXT, hash TEXT, title TEXT NOT NULL DEFAULT '', language TEXT,
    bytes INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 0, chunks INTEGER NOT NULL DEFAULT 0, read_at INTEGER,
    PRIMARY KEY (document, edition, n)
  );
  CREATE UNIQUE INDEX pages_url ON pages (document, edition, url);
  CREATE TABLE crawl_days (day TEXT PRIMARY KEY, pages INTEGER NOT NULL);
`;

/** The migrations of an account's knowledge. Times are ms. */
export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [firstStep(DOCUMENTS, CHUNKS, SITES, OUTBOX)];
