import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, call } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { standIn } from "../../support/stand-in.ts";

const PARTS = ["d1", "gate", "encryption", "signing", "runtime"];
type Readiness = Record<string, { ok: boolean; ms: number }>;

/** What a service with other bindings reports about itself. */
async function readiness(bindings: Record<string, unknown>) {
  const request = new Request(`${BASE}/readyz`);
  const response = await app.fetch(request, { ...env, ...bindings } as typeof env, createExecutionContext());
  const text = await response.text();
  const body = JSON.parse(text) as Readiness;
  const failed = Object.keys(body).filter((part) => !body[part]?.ok);
  return { status: response.status, code: response.headers.get("x-error-code"), failed, body, text };
}

describe("whether the service is up", () => {
  it("is reported without checking anything", async () => {
    const trips = await countRoundTrips("/healthz", {});
    expect(trips).toMatchObject({ status: 200, body: { ok: true }, d1: 0, objects: 0 });
    const nothing = { ALLOWED_HOSTS: "", RATE_LIMITS: "" } as typeof env;
    const answer = await app.fetch(new Request(`${BASE}/healthz`), nothing, createExecutionContext());
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  });
});

describe("whether the service can do its work", () => {
  it("is reported part by part", async () => {
    const { status, body } = await call<Readiness>("GET", "/readyz");
    expect([status, Object.keys(body)]).toEqual([200, PARTS]);
    for (const part of PARTS) expect(body[part]).toEqual({ ok: true, ms: expect.any(Number) });
  });

  const unreachable = standIn(() => ({ enter: () => Promise.reject(new Error("s3cret at 10.0.0.1")) }));
  it.each<[string, string, Record<string, unknown>]>([
    [
      "d1",
      "not_ready",
      {
        DB: {
          prepare: () => {
            throw new Error("s3cret");
          },
        },
      },
    ],
    ["gate", "not_ready", { ACCOUNT_GATE: unreachable }],
    ["encryption", "not_ready", { ENCRYPTION_KEYS: "s3cret" }],
    ["encryption", "not_ready", { ENCRYPTION_KEYS: "" }],
    ["signing", "not_ready", { SIGNING_KEYS: "s3cret" }],
    ["signing", "not_ready", { SIGNING_KEYS: "[]" }],
    ["runtime", "not_ready", { VOICE_RUNTIME_URL: "https://s3cret.example" }],
    ["runtime", "public_url_missing", { PUBLIC_URL: "" }],
  ])("names %s if that is not ready (%s, %o), without the reason", async (part, code, bindings) => {
    const answer = await readiness(bindings);
    expect(answer).toMatchObject({ status: 503, code, failed: [part] });
    expect(Object.keys(answer.body)).toEqual(PARTS);
    expect(answer.text).not.toMatch(/s3cret|error/i);
  });

  it("takes a runtime of one's own for one", async () => {
    expect(await readiness({ VOICE_RUNTIME_URL: "wss://media.example/ws" })).toMatchObject({ status: 200, failed: [] });
  });

  it("checks the operators' gate, and creates no other", async () => {
    const opened: string[] = [];
    const getByName = (name: string) => {
      opened.push(name);
      return env.ACCOUNT_GATE.getByName(name);
    };
    expect(await readiness({ ACCOUNT_GATE: { getByName } })).toMatchObject({ status: 200 });
    expect(opened).toEqual(["service-admin"]);
  });

  it("checks once in a while, however often it is requested", async () => {
    let looks = 0;
    const gate = standIn(() => ({ enter: async () => looks++ }));
    const bindings = { ...env, ACCOUNT_GATE: gate } as unknown as typeof env;
    for (let i = 0; i < 5; i++) {
      const request = new Request(`${BASE}/readyz`);
      expect((await app.fetch(request, bindings, createExecutionContext())).status).toBe(200);
    }
    expect(looks).toBe(1);
  });

  it("is rate-limited by address as other public endpoints are", async () => {
    const limits: string[] = [];
    const PUBLIC_RATE = { limit: async ({ key }: { key: string }) => ({ success: limits.push(key) <= 1 }) };
    const bindings = { ...env, RATE_LIMITS: "on", PUBLIC_RATE } as unknown as typeof env;
    const ask = async () => (await app.fetch(new Request(`${BASE}/readyz`), bindings, createExecutionContext())).status;
    expect([await ask(), await ask()]).toEqual([200, 429]);
  });
});
