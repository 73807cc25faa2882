import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const KEY_LIMIT = 5;
/** FAILED_RATE in wrangler.toml. */
const FAILED_LIMIT = 60;
let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker({ RATE_LIMITS: "on", KEY_RATE_LIMIT: String(KEY_LIMIT) });
});

afterAll(() => worker.stop());

async function post<T>(account: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(worker.origin + path, {
    method: "POST",
    headers: { ...(await worker.signIn(account)), "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as T;
}

/** Counts the requests before the first refusal. Limits count by the minute, and a minute may end in between. */
async function untilRefused(limit: number, path: string, headers: Record<string, string> = {}): Promise<number> {
  for (let allowed = 0; allowed <= 2 * limit; allowed++) {
    const response = await fetch(worker.origin + path, { headers, redirect: "manual" });
    await response.text();
    if (response.status !== 429) continue;
    expect(response.headers.get("x-error-code")).toBe("rate_limited");
    const wait = Number(response.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    return allowed;
  }
  throw new Error("never refused");
}

describe("rate limits of the service as it is deployed", () => {
  it("let a key make as many requests a minute as configured, each key for itself", async () => {
    await post("service-admin", "/api/admin/v1/accounts", { name: "acme" });
    for (const name of ["one", "another"]) {
      const { key } = await post<{ key: string }>("acme", "/api/v1/api-keys", { name });
      const headers = { authorization: `Bearer ${key}` };
      expect(await untilRefused(KEY_LIMIT, "/api/v1/agents", headers)).toBeGreaterThanOrEqual(KEY_LIMIT);
    }
  });

  it("let an address try invalid keys as often as wrangler.toml allows", async () => {
    const headers = { authorization: `Bearer sk_live_acme_${"x".repeat(38)}` };
    expect(await untilRefused(FAILED_LIMIT, "/api/v1/agents", headers)).toBeGreaterThanOrEqual(FAILED_LIMIT);
  });
});
