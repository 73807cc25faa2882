import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, inject, it } from "vitest";
import { startRuntime } from "../../../src/dev/runtime.ts";

const ROOT = join(import.meta.dirname, "../../..");

it("asks in one sentence to begin anew where the state was migrated by files that are not there any more", async () => {
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
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, said]).toEqual([
      1,
      `switchboard: the state in ${stateDir} is from another version of the service; delete it, or use another folder: STATE_DIR=… npm start\n`,
    ]);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
});
