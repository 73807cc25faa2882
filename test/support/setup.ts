import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import fc from "fast-check";
import { afterAll, afterEach, vi } from "vitest";
import { printHeldLogs } from "./held-logs.ts";
import "./wait-for.ts";
import "./quick-passwords.ts";
import "./patient-timers.ts";

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

// The cases are the same every time, unless PROPERTY_SEED in the environment selects others.
fc.configureGlobal({ seed: Number(env.PROPERTY_SEED) });

// Files share a runtime and its modules, because starting one takes longer than most files. Each file begins with empty
// storage, no live objects and the real time. Vitest itself restores the mocks.
vi.useRealTimers();
await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);

afterEach(printHeldLogs);
afterAll(printHeldLogs);
