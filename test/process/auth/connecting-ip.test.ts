import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { localEnvironment, localSettings } from "../../../src/dev/local-settings.ts";
import { migrate } from "../../../src/dev/migrate.ts";
import { freePort } from "../../../src/dev/preflight.ts";
import { startRuntime, variables } from "../../../src/dev/runtime.ts";
import { freshSecrets } from "../../../src/dev/secrets.ts";

/** FAILED_RATE in wrangler.toml: the number of invalid keys that one address may try per minute. */
const FAILED_LIMIT = 60;
const ADDRESSES = 10;
/**
 * Each address stays below the limit. Together, the ten addresses exceed what one address may try in two minutes, so it
 * doesn't matter if a minute ends during the test.
 */
const TRIES_PER_ADDRESS = 15;

it.each([
  ["share the budget of one address", "without TRUST_CONNECTING_IP", {}, true],
  ["have a budget each", "with TRUST_CONNECTING_IP=on", { TRUST_CONNECTING_IP: "on" }, false],
])("ten addresses that a client names %s %s", async (_shared, _setting, env, isShared) => {
  const stateDir = await mkdtemp(join(tmpdir(), "switchboard-address-"));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const settings = localSettings(await variables(localEnvironment(env)), base);
  const runtime = await startRuntime({
    script: inject("worker"),
    variables: { ...settings, ...(await freshSecrets()) },
    listen: { host: "127.0.0.1", port },
    stateDir,
  });
  try {
    await migrate(await runtime.getD1Database("DB"));
    const statuses = new Set<number>();
    for (let tries = 0; tries < TRIES_PER_ADDRESS * ADDRESSES; tries++) {
      const address = `203.0.113.${tries % ADDRESSES}`;
      const forged = {
        "cf-connecting-ip": address,
        "mf-cf-blob": JSON.stringify({ clientIp: address }),
        "x-forwarded-for": address,
        "x-real-ip": address,
      };
      const headers = { ...forged, authorization: `Bearer sk_live_acme_${"x".repeat(38)}` };
      const response = await fetch(`${base}/api/v1/agents`, { headers });
      await response.text();
      statuses.add(response.status);
    }
    expect(TRIES_PER_ADDRESS * ADDRESSES).toBeGreaterThan(2 * FAILED_LIMIT);
    expect(statuses).toEqual(new Set(isShared ? [401, 429] : [401]));
  } finally {
    await runtime.dispose();
    await rm(stateDir, { recursive: true, force: true });
  }
});
