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

// The same cases every time, or others with PROPERTY_SEED in the environment.
fc.configureGlobal({ seed: Number(env.PROPERTY_SEED) });

// Files share a runtime, because starting one takes longer than most files. Each begins with empty storage, no live
// objects and the real time; vitest itself restores their mocks.
vi.useRealTimers();
await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);

afterEach(printHeldLogs);
afterAll(printHeldLogs);
