import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { migrationFiles, migrationHashes } from "../src/dev/migration-files.ts";
import { freshSecrets } from "../src/dev/secrets.ts";
import { WAIT_TIMEOUT_MS } from "./support/wait-timeout.ts";

const MEMORY_NEEDED_BYTES = 4 * 1024 ** 3;
const root = `${import.meta.dirname}/..`;
const MEMORY = "/dev/shm/switchboard-tests-";
keepDatabasesInMemory();
/**
 * The local runtime would otherwise ask the network where it is. Commands and services of tests compile the same sources
 * again and again, unless they find them compiled.
 */
const env = { CLOUDFLARE_CF_FETCH_ENABLED: "false", NODE_COMPILE_CACHE: `${root}/dist/compiled` };
/** The longest time of a test or hook, for busy machines. No test measures time. The matrix opens each screen four times. */
const LONGEST_MS = process.env.TEST_MATRIX ? 600_000 : 240_000;
const poll = { timeout: WAIT_TIMEOUT_MS };
const timeouts = { testTimeout: LONGEST_MS, hookTimeout: LONGEST_MS, expect: { poll } };

/** A test that expects nothing fails. In a browser, waiting for what a page must show is a test, too. */
const asserting = Object.assign({}, timeouts, { expect: { requireAssertions: true, poll } });

/** Files share a process, because each process loads wrangler and the runtime, which takes longer than most files. */
const shared = { isolate: false };

/** Pages run after the tests of processes. Those mostly wait, while pages keep the processors busy until the end. */
const PAGES_LAST = { groupOrder: 1 };

/** Setups that run once before the tests. Otherwise, each process of tests would do this work. */
const build = "test/process/support/build-worker.ts";
const unpack = "test/process/support/unpack-browser.ts";

/** Keeps the databases of tests in memory if the system is Linux and has room, because every commit waits for its disk. */
function keepDatabasesInMemory(): void {
  // The configuration is read more than once in a run.
  if (tmpdir().startsWith(MEMORY) || !existsSync(dirname(MEMORY))) return;
  const { bavail, bsize } = statfsSync(dirname(MEMORY));
  if (bavail * bsize < MEMORY_NEEDED_BYTES) return;
  const folder = mkdtempSync(MEMORY);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

export default defineConfig({
  root,
  test: {
    silent: "passed-only",
    // Tests over sockets mostly wait, so that more of them than processors keep a machine busy.
    maxWorkers: 4,
    projects: [
      {
        root,
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: `${root}/wrangler.toml` },
            miniflare: {
              bindings: {
                ...(await freshSecrets()),
                RATE_LIMITS: "off",
                REQUEST_LINES: "off",
                OPERATOR_SECOND_FACTOR: "off",
                PUBLIC_URL: "https://switchboard.test",
                // As `npm run secret ENCRYPTION_KEYS` prints them, one after the other.
                PRINTED_KEYS: await Promise.all([1, 2, 3].map(async () => (await freshSecrets()).ENCRYPTION_KEYS)),
                PROPERTY_SEED: process.env.PROPERTY_SEED ?? "1",
                // How many changes three people make to an agent at once.
                VERSION_STEPS: process.env.VERSION_STEPS ?? "240",
                SANDBOX_RING_MS: "5",
                SANDBOX_TALK_MS: "5",
                SANDBOX_CONVERSATION: "off",
                LEDGER_SPLIT_BYTES: "1000000",
                MIGRATIONS: await readD1Migrations(`${root}/migrations`),
                MIGRATION_HASHES: migrationHashes(await migrationFiles()),
              },
            },
          })),
        ],
        test: {
          name: "workerd",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", "test/process/**", "test/oracles/**"],
          setupFiles: ["test/support/setup.ts"],
          ...asserting,
        },
      },
      {
        root,
        test: {
          name: "process",
          ...shared,
          include: ["test/process/**/*.test.ts"],
          globalSetup: [build, unpack],
          env,
          ...asserting,
        },
      },
      {
        root,
        test: {
          name: "browser",
          ...shared,
          sequence: PAGES_LAST,
          include: ["test/browser/*.test.ts"],
          globalSetup: [build, unpack],
          env,
          ...timeouts,
        },
      },
      {
        root,
        test: {
          name: "console",
          ...shared,
          sequence: PAGES_LAST,
          include: ["test/browser/console/**/*.test.ts"],
          globalSetup: ["test/browser/console/shared-service.ts", unpack],
          env,
          ...timeouts,
        },
      },
    ],
  },
});
