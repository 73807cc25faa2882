import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import fc from "fast-check";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
      PRINTED_KEYS: string[];
      PROPERTY_SEED: string;
    }
  }
}

// The same cases every time; with PROPERTY_SEED in the environment, others.
fc.configureGlobal({ seed: Number(env.PROPERTY_SEED) });

await applyD1Migrations(env.DB, env.MIGRATIONS);
