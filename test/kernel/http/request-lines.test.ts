import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { logError } from "../../../src/kernel/log.ts";
import type { ObservedObject } from "../../../src/kernel/observing/observed-object.ts";
import { observedStub, within } from "../../../src/kernel/observing/request-context.ts";
import { BASE, tenant } from "../../support/client.ts";

interface Line {
  request_id: string;
  [field: string]: unknown;
}

/** Returns the log line of a request, and its response. */
async function served(path: string, init: RequestInit = {}): Promise<{ line: Line; text: string; response: Response }> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const context = createExecutionContext();
  const bindings = Object.assign({}, env, { REQUEST_LINES: "on" });
  const response = await app.fetch(new Request(BASE + path, init), bindings, context);
  await response.text();
  await waitOnExecutionContext(context);
  const text = log.mock.calls.map(([line]) => String(line)).join("\n");
  return { line: JSON.parse(text) as Line, text, response };
}

describe("the log line of a request", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("has its route, account, outcome and cost, with the response's request id", async () => {
    const {
      account,
      server: { headers },
    } = await tenant();
    const { line, response } = await served("/api/v1/prices", { headers });
    expect(line).toEqual({
      level: "info",
      at: "request",
      route: "/api/v1/prices",
      method: "GET",
      account,
      status: 200,
      code: null,
      ms: expect.any(Number),
      hops: 1,
      d1_ms: expect.any(Number),
      request_id: response.headers.get("x-request-id"),
    });
  });

  it("contains an error's slug and the path's template", async () => {
    const { headers } = (await tenant()).server;
    const { line } = await served("/api/v1/agents/01990000-0000-7000-8000-000000000009", { headers });
    expect(line).toMatchObject({ route: "/api/v1/agents/{id}", status: 404, code: "not_found" });
  });

  it("contains no unknown path and no made-up method", async () => {
    const { line } = await served("/secret-path", { method: "PROPFIND" });
    expect(line).toMatchObject({ route: null, method: "OTHER", account: null, status: 404 });
  });

  it("contains nothing of the address, the headers or the body", async () => {
    const { headers } = (await tenant()).server;
    const { text } = await served("/api/v1/tools?search=12025550110&needle=needle", {
      headers: Object.assign({ "x-needle": "needle", "user-agent": "needle" }, headers),
    });
    expect(text).not.toContain("12025550110");
    expect(text).not.toContain("needle");
    expect(text).not.toContain("sk_live");
  });
});

describe("an object that is called during a request", () => {
  afterEach(() => void vi.restoreAllMocks());

  const request_id = "3f0c2d6e-0000-4000-8000-000000000001";

  it("logs the request id, as do the objects that it calls", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { account } = await tenant();
    const raw = env.ACCOUNT_GATE.getByName(account);
    await runInDurableObject(raw as unknown as DurableObjectStub, (instance) => {
      const methods = {
        mayStay: async () => {
          logError("test", "gone");
          return true;
        },
      };
      Object.setPrototypeOf(instance, Object.assign(Object.create(Object.getPrototypeOf(instance)), methods));
    });
    const hops = await within({ request_id, traced: false }, async (context) => {
      await (observedStub("gate", raw) as unknown as { mayStay(): Promise<boolean> }).mayStay();
      return context.hops;
    });
    expect(hops).toBe(1);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { level: "error", at: "test", request_id, error: "gone" },
    ]);
  });

  it("an object whose method fails is called once", async () => {
    let calls = 0;
    const failing = {
      hop: async () => {
        calls++;
        throw new TypeError("away");
      },
      answered: async () => void calls++,
    };
    await expect(
      within({ request_id, traced: false }, () => observedStub("failing", failing).answered()),
    ).rejects.toThrow("away");
    expect(calls).toBe(1);
  });

  it("refuses a call of anything but its own methods", async () => {
    const { account } = await tenant();
    const gate = env.ACCOUNT_GATE.getByName(account) as unknown as DurableObjectStub;
    await runInDurableObject(gate, async (instance) => {
      const object = instance as unknown as ObservedObject<Env>;
      for (const method of ["alarm", "constructor", "hop", "toString", "nothing"])
        await expect(object.hop({ request_id, traced: false }, "gate", method, []), method).rejects.toThrow(
          "there is no method",
        );
    });
  });
});
