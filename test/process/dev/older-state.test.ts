import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, inject, it } from "vitest";
import { migrate } from "../../../src/dev/migrate.ts";
import { startRuntime } from "../../../src/dev/runtime.ts";

const ROOT = join(import.meta.dirname, "../../..");

it("npm start asks in one sentence to start over if the state was migrated by files that no longer exist", async () => {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-state-"));
  try {
    const runtime = await startRuntime({ stateDir });
    const db = await runtime.getD1Database("DB");
    await db.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP)");
    await db.exec("INSERT INTO d1_migrations (name) VALUES ('0000_initial.sql'), ('0001_widget_key_sealed.sql')");
    await runtime.dispose();
    const child = spawn(process.execPath, ["src/dev/start.ts"], {
      cwd: ROOT,
      env: { ...process.env, BUILT_WORKER: inject("worker"), STATE_DIR: stateDir, PORT: "0" },
    });
    const [errorOutput, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, errorOutput]).toEqual([
      1,
      `switchboard: the state in ${stateDir} is from another version of the service, from before release 0.3.0 or newer than this one; delete it (rm -r '${stateDir}'), or use another folder: STATE_DIR=… npm start\n`,
    ]);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
});

it("npm start asks in one sentence to delete a state that was migrated by a file that has changed since", async () => {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-state-"));
  try {
    const runtime = await startRuntime({ stateDir });
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await db.exec("UPDATE migration_hashes SET hash = 'other' WHERE name = '0000_release_0_3.sql'");
    await runtime.dispose();
    const child = spawn(process.execPath, ["src/dev/start.ts"], {
      cwd: ROOT,
      env: { ...process.env, BUILT_WORKER: inject("worker"), STATE_DIR: stateDir, PORT: "0" },
    });
    const [errorOutput, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, errorOutput]).toEqual([
      1,
      `switchboard: 0000_release_0_3.sql changed after they were applied to the state in ${stateDir}; delete that state (rm -r '${stateDir}'), or use another folder: STATE_DIR=… npm start\n`,
    ]);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
});
