import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import fc from "fast-check";
import { afterAll, afterEach, vi } from "vitest";
import { printHeldLogs } from "./held-logs.ts";
import "./wait-for.ts";
import "./quick-passwords.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
      MIGRATION_HASHES: string;
      PRINTED_KEYS: string[];
      PROPERTY_SEED: string;
    }
  }
}

// The same cases every time; with PROPERTY_SEED in the environment, others.
fc.configureGlobal({ seed: Number(env.PROPERTY_SEED) });

// Files share a runtime, because to start one and load everything into it takes longer than most files. Each begins with
// empty storage, no object alive, and the time as it is; vitest itself takes their mocks back.
vi.useRealTimers();
await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);

afterEach(printHeldLogs);
afterAll(printHeldLogs);
