import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, inject, it, vi } from "vitest";
import { migrate } from "../../../src/dev/migrate.ts";
import { startRuntime } from "../../../src/dev/runtime.ts";

const ROOT = join(import.meta.dirname, "../../..");

it("asks in one sentence to start over if the state was migrated by files that no longer exist", async () => {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-state-"));
  try {
    const runtime = await startRuntime({ stateDir });
    const db = await runtime.getD1Database("DB");
    await db.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP)");
    await db.exec("INSERT INTO d1_migrations (name) VALUES ('0000_initial.sql'), ('0001_operator_account.sql')");
    await runtime.dispose();
    const child = spawn(process.execPath, ["src/dev/start.ts"], {
      cwd: ROOT,
      env: { ...process.env, BUILT_WORKER: inject("worker"), STATE_DIR: stateDir, PORT: "0" },
    });
    const [errorOutput, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, errorOutput]).toEqual([
      1,
      `switchboard: the state in ${stateDir} is from another version of the service; delete it, or use another folder: STATE_DIR=… npm start\n`,
    ]);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
});

it("asks in one sentence to delete a state that was migrated by a file that has changed since", async () => {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-state-"));
  try {
    const runtime = await startRuntime({ stateDir });
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await db.exec("UPDATE migration_hashes SET hash = 'other' WHERE name = '0000_initial.sql'");
    await runtime.dispose();
    const child = spawn(process.execPath, ["src/dev/start.ts"], {
      cwd: ROOT,
      env: { ...process.env, BUILT_WORKER: inject("worker"), STATE_DIR: stateDir, PORT: "0" },
    });
    const [errorOutput, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, errorOutput]).toEqual([
      1,
      `switchboard: 0000_initial.sql changed after the state in ${stateDir} was migrated with it; delete that state (rm -r '${stateDir}'), or use another folder: STATE_DIR=… npm start\n`,
    ]);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
});

it("reports in one sentence, once, that calls of an earlier edition are not taken over", async () => {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-state-"));
  const runtime = await startRuntime({ stateDir });
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const db = await runtime.getD1Database("DB");
    await db.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP)");
    const folder = join(ROOT, "migrations");
    for (const name of (await readdir(folder)).filter((file) => /^000[012]_.*\.sql$/.test(file)).sort()) {
      const sql = await readFile(join(folder, name), "utf8");
      const statements = sql.split(";").filter((statement) => statement.trim() !== "");
      await db.batch(statements.map((statement) => db.prepare(statement)));
      await db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name).run();
    }
    const { results } = await db.prepare("SELECT name, type FROM pragma_table_info('calls') WHERE \"notnull\"").all<{
      name: string;
      type: string;
    }>();
    await db.exec(
      "INSERT INTO accounts (name, display_name, plan, created_at, updated_at) VALUES ('acme', 'Acme', 'scale', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
    );
    const names = results.map(({ name }) => name);
    const values = names.map((name) => (name === "account" ? "acme" : name === "direction" ? "inbound" : "{}"));
    await db
      .prepare(`INSERT INTO calls (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .bind(...values)
      .run();
    await migrate(db);
    await migrate(db);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^switchboard: the calls and conversations in .* are from an earlier edition and are not shown any more; to begin anew, delete that folder, or use another: STATE_DIR=… npm start$/,
        ),
      ],
    ]);
  } finally {
    warn.mockRestore();
    await runtime.dispose();
    await rm(stateDir, { recursive: true, force: true });
  }
});
