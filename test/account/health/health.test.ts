import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, call } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { standIn } from "../../support/stand-in.ts";

const PARTS = ["d1", "migrations", "storage", "gate", "ledger", "events", "encryption", "signing", "runtime"];
type Readiness = Record<string, { ok: boolean; ms: number }>;

/** Returns the readiness of a service with other bindings. */
async function readiness(bindings: Record<string, unknown>) {
  const request = new Request(`${BASE}/readyz`);
  const response = await app.fetch(request, { ...env, ...bindings } as typeof env, createExecutionContext());
  const text = await response.text();
  const body = JSON.parse(text) as Readiness;
  const failed = Object.keys(body).filter((part) => !body[part]?.ok);
  return { status: response.status, code: response.headers.get("x-error-code"), failed, body, text };
}

describe("liveness", () => {
  it("liveness is reported without checking anything", async () => {
    const trips = await countRoundTrips("/healthz", {});
    expect(trips).toMatchObject({ status: 200, body: { ok: true }, d1: 0, objects: 0 });
    const nothing = { ALLOWED_HOSTS: "", RATE_LIMITS: "" } as typeof env;
    const answer = await app.fetch(new Request(`${BASE}/healthz`), nothing, createExecutionContext());
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  });
});

describe("readiness", () => {
  it("readiness is reported part by part", async () => {
    const { status, body } = await call<Readiness>("GET", "/readyz");
    expect([status, Object.keys(body)]).toEqual([200, PARTS]);
    for (const part of PARTS) expect(body[part]).toEqual({ ok: true, ms: expect.any(Number) });
  });

  const away = () => Promise.reject(new Error("s3cret at 10.0.0.1"));
  const unreachable = standIn(() => ({ enter: away, call: away, last: away }));
  it.each<[string, string, Record<string, unknown>]>([
    [
      "d1,migrations",
      "not_ready",
      {
        DB: {
          prepare: () => {
            throw new Error("s3cret");
          },
        },
      },
    ],
    ["migrations", "not_ready", { MIGRATION_HASHES: '{"0000_release_0_3.sql":"s3cret","9999_s3cret.sql":"s3cret"}' }],
    ["migrations", "not_ready", { MIGRATION_HASHES: "s3cret" }],
    ["storage", "not_ready", { RECORDINGS: { head: away } }],
    ["storage", "not_ready", { CONVERSATIONS: { head: away } }],
    ["gate", "not_ready", { ACCOUNT_GATE: unreachable }],
    ["ledger", "not_ready", { ACCOUNT_LEDGER: unreachable }],
    ["events", "not_ready", { ACCOUNT_EVENTS: unreachable }],
    ["encryption", "not_ready", { ENCRYPTION_KEYS: "s3cret" }],
    ["encryption", "not_ready", { ENCRYPTION_KEYS: "" }],
    ["signing", "not_ready", { SIGNING_KEYS: "s3cret" }],
    ["signing", "not_ready", { SIGNING_KEYS: "[]" }],
    ["runtime", "not_ready", { VOICE_RUNTIME_URL: "https://s3cret.example" }],
    ["runtime", "public_url_missing", { PUBLIC_URL: "" }],
  ])("readiness names %s if that is not ready (%s, %o), without the reason", async (part, code, bindings) => {
    const answer = await readiness(bindings);
    expect(answer).toMatchObject({ status: 503, code, failed: part.split(",") });
    expect(Object.keys(answer.body)).toEqual(PARTS);
    expect(answer.text).not.toMatch(/s3cret|error/i);
  });

  it("succeeds with a custom runtime", async () => {
    expect(await readiness({ VOICE_RUNTIME_URL: "wss://media.example/ws" })).toMatchObject({ status: 200, failed: [] });
  });

  it("reports migrations as not ready if the database has one with another text", async () => {
    const [first = ""] = Object.keys(JSON.parse(env.MIGRATION_HASHES));
    await env.DB.batch([
      env.DB.prepare("CREATE TABLE migration_hashes (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL)"),
      env.DB.prepare("INSERT INTO migration_hashes VALUES (?, 'other')").bind(first),
    ]);
    try {
      expect(await readiness({})).toMatchObject({ status: 503, code: "not_ready", failed: ["migrations"] });
      await env.DB.prepare("UPDATE migration_hashes SET hash = ?").bind(JSON.parse(env.MIGRATION_HASHES)[first]).run();
      expect(await readiness({})).toMatchObject({ status: 200, failed: [] });
    } finally {
      await env.DB.prepare("DROP TABLE migration_hashes").run();
    }
  });

  it("accepts a database that a newer release has migrated", async () => {
    const [newest = ""] = Object.keys(JSON.parse(env.MIGRATION_HASHES)).reverse();
    const ours = Object.entries(JSON.parse(env.MIGRATION_HASHES)).filter(([name]) => name !== newest);
    expect(await readiness({ MIGRATION_HASHES: JSON.stringify(Object.fromEntries(ours)) })).toMatchObject({
      status: 200,
    });
  });

  it.each(["DB", "RECORDINGS", "ACCOUNT_LEDGER", "ACCOUNT_EVENTS"])(
    "readiness answers within the time limit of a check if %s never answers",
    async (binding) => {
      const never = () => new Promise<never>(() => {});
      const hanging = standIn(() => ({ call: never, last: never }));
      const bound = { all: never, raw: never, first: never };
      const statement = { bind: () => bound, all: never, raw: never, first: never };
      const instead = { DB: { prepare: () => statement, batch: never }, RECORDINGS: { head: never } };
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      try {
        const answer = readiness({ [binding]: Reflect.get(instead, binding) ?? hanging });
        await vi.advanceTimersByTimeAsync(3_000);
        expect((await answer).status).toBe(503);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it("checks the operators' gate, and creates no other gate", async () => {
    const opened: string[] = [];
    const getByName = (name: string) => {
      opened.push(name);
      return env.ACCOUNT_GATE.getByName(name);
    };
    expect(await readiness({ ACCOUNT_GATE: { getByName } })).toMatchObject({ status: 200 });
    expect(opened).toEqual(["service-admin"]);
  });

  it("readiness is checked once in a while, however often it is requested", async () => {
    let looks = 0;
    const gate = standIn(() => ({ enter: async () => looks++ }));
    const bindings = { ...env, ACCOUNT_GATE: gate } as unknown as typeof env;
    for (let i = 0; i < 5; i++) {
      const request = new Request(`${BASE}/readyz`);
      expect((await app.fetch(request, bindings, createExecutionContext())).status).toBe(200);
    }
    expect(looks).toBe(1);
  });

  it("readiness is rate-limited by address like other public endpoints", async () => {
    const limits: string[] = [];
    const PUBLIC_RATE = { limit: async ({ key }: { key: string }) => ({ success: limits.push(key) <= 1 }) };
    const bindings = { ...env, RATE_LIMITS: "on", PUBLIC_RATE } as unknown as typeof env;
    const ask = async () => (await app.fetch(new Request(`${BASE}/readyz`), bindings, createExecutionContext())).status;
    expect([await ask(), await ask()]).toEqual([200, 429]);
  });
});
