import { afterEach, describe, expect, it, vi } from "vitest";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { run, toolOf, vendor } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const URL_ = "https://api.vendor.example/orders/{a}";

describe("a run of a tool", () => {
  it("sends the configured request, and returns the response", async () => {
    const { server } = await tenant();
    const requests = vendor(() => Response.json({ order: { items: [{ sku: "A1" }] } }));
    const name = await toolOf(server, {
      method: "post",
      url: `${URL_}?plain=x&b={b}`,
      query: { limit: 3, list: "{list}" },
      headers: { "X-Note": "for {a}" },
      body: { n: "{n}", text: "n is {n}", list: "{list}", gone: "{b}", fixed: true },
      response: { path: "order.items.0.sku" },
    });
    const { status, body } = await run(server, name, { a: "A 1/2", n: 2.5, list: ["x", "y"] });
    expect([status, body.ok, body.result, body.error]).toEqual([200, true, "A1", null]);
    const [input, init] = requests.mock.calls[0] ?? [];
    const request = new Request(input ?? "", init);
    expect(request.url).toBe("https://api.vendor.example/orders/A%201%2F2?plain=x&limit=3&list=x&list=y");
    expect(request.headers.get("x-note")).toBe("for A 1/2");
    expect(await request.json()).toEqual({ n: 2.5, text: "n is 2.5", list: ["x", "y"], fixed: true });
    expect(body.request).toMatchObject({ method: "POST", url: request.url, body: { n: 2.5, fixed: true } });
    expect(body.response).toEqual({ status: 200, body: { order: { items: [{ sku: "A1" }] } } });
  });

  it("sends forms and credentials, and masks the secret wherever it is returned", async () => {
    const { server } = await tenant();
    const secret = `s3cr3t&/"ü-${crypto.randomUUID()}`;
    await server.post("/api/v1/integrations/sendgrid/install", {
      params: { from_email: "a@b.example" },
      secrets: { api_key: secret },
    });
    const seen: string[] = [];
    vendor(async (request) => {
      const sent = request.headers.get("authorization") ?? "";
      seen.push(sent, await request.text());
      const decoded = new TextDecoder().decode(Uint8Array.from(atob(sent.slice(6)), (c) => c.charCodeAt(0)));
      return Response.json({
        sent,
        decoded,
        [decoded]: encodeURIComponent(decoded),
        base64: btoa(JSON.stringify({ around: sent })),
        html: decoded.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
        text: JSON.stringify(decoded),
      });
    });
    const name = await toolOf(server, {
      method: "POST",
      url: "https://api.sendgrid.com/send?key={{sendgrid.api_key}}",
      auth: { type: "basic", username: "{{sendgrid.from_email}}", password: "{{sendgrid.api_key}}" },
      form: { To: "{a}", From: "{{ sendgrid.from_email }}", Gone: "{b}" },
    });
    const { body } = await run(server, name, { a: `a&b=${secret}` });
    expect(body).toMatchObject({ ok: true, request: { headers: { authorization: "Basic ***" } } });
    expect(atob(seen[0]?.slice(6) ?? "")).toContain("a@b.example:");
    expect(new URLSearchParams(seen[1])).toEqual(new URLSearchParams({ To: `a&b=${secret}`, From: "a@b.example" }));
    const shown = JSON.stringify(body);
    for (const piece of [
      secret.slice(-20),
      encodeURIComponent(secret),
      seen[0]?.slice(6) ?? "",
      btoa("a@b.example:s3"),
    ]) {
      expect(shown).not.toContain(piece.replaceAll("=", ""));
    }
    expect(shown).not.toContain("s3cr3t");
  });

  it("shows the request of a dry run without sending it", async () => {
    const { server } = await tenant();
    const requests = vendor(() => Response.json({}));
    const name = await toolOf(server, { url: URL_ });
    const { body } = await run(server, name, { a: "x" }, { dry_run: true });
    expect(body).toMatchObject({ ok: true, response: null, result: null, error: null });
    expect(body.request?.url).toBe("https://api.vendor.example/orders/x");
    expect(requests).not.toHaveBeenCalled();
    expect((await server.get<{ runs: unknown[] }>(`/api/v1/tools/${name}/runs`)).body.runs).toEqual([]);
  });

  it("a tool run is recorded with its actor, without arguments or results", async () => {
    const { server } = await tenant();
    const name = await toolOf(server, { url: URL_ });
    vendor(() => new Response("private words", { status: 418 }));
    await run(server, name, { a: "private" });
    vendor(() => Response.json("private"));
    await run(server, name, { a: "private" });
    const { runs } = (await server.get<{ runs: Record<string, unknown>[] }>(`/api/v1/tools/${name}/runs`)).body;
    expect(runs).toMatchObject([
      { conversation_id: null, ok: true, status: 200, error: null },
      { conversation_id: null, ok: false, status: 418, error: "the service answered 418" },
    ]);
    expect(JSON.stringify(runs)).not.toContain("private");
    const { entries } = (await server.get<{ entries: Record<string, unknown>[] }>("/api/v1/audit-log")).body;
    expect(entries[0]).toMatchObject({ action: "run", resource: "tool" });
  });

  it("costs a hop to the gate, two to the ledger and one read, and listing runs one less", async () => {
    const { user } = await tenant();
    const name = await toolOf(user, { url: URL_ });
    vendor(() => Response.json({}));
    // Caches the volumes of the ledger.
    await user.get("/api/v1/calls");
    const path = `/api/v1/tools/${name}/run`;
    const body = { arguments: { a: "x" } };
    expect(await countRoundTrips(path, user.headers, { method: "POST", body })).toMatchObject({ objects: 3, d1: 1 });
    expect(await countRoundTrips(`${path}s`, user.headers)).toMatchObject({ status: 200, objects: 2, d1: 1 });
  });

  it("deleting a tool deletes its runs", async () => {
    const { server } = await tenant();
    vendor(() => Response.json({}));
    const name = await toolOf(server, { url: "https://api.vendor.example/" });
    await run(server, name);
    await server.delete(`/api/v1/tools/${name}`);
    expect((await server.get(`/api/v1/tools/${name}/runs`)).status).toBe(404);
    await server.post("/api/v1/tools", { name });
    expect((await server.get<{ runs: unknown[] }>(`/api/v1/tools/${name}/runs`)).body.runs).toEqual([]);
  });
});

describe("a run of a tool", () => {
  it("reports every invalid argument", async () => {
    const { server } = await tenant();
    const requests = vendor(() => Response.json({}));
    const schema = {
      type: "object",
      properties: {
        order: { type: "string", pattern: "^[A-Z]+$" },
        n: { type: "integer", minimum: 1 },
        items: { type: "array", items: { $ref: "#/$defs/item" } },
      },
      $defs: { item: { type: "object", properties: { kind: { enum: ["a", "b"] } }, required: ["sku"] } },
      required: ["order", "day"],
      additionalProperties: false,
    };
    const name = await toolOf(server, { url: "https://api.vendor.example/" }, schema);
    const answer = await run(server, name, { order: "low", n: "two", items: [{ kind: "c" }], more: 1 });
    expect([answer.status, answer.code]).toEqual([400, "invalid_arguments"]);
    expect(String(answer.body).split("; ").sort()).toEqual([
      "day is required",
      'items.0.kind must be one of "a", "b"',
      "items.0.sku is required",
      "more is unknown",
      "n must be a whole number",
      "order must match the pattern ^[A-Z]+$",
    ]);
    expect(requests).not.toHaveBeenCalled();
  });

  it("returns a result even if the service refuses, answers with nonsense or too much, or does not answer", async () => {
    const { server } = await tenant();
    const part = await toolOf(server, { url: "https://api.vendor.example/", response: { path: "a" }, timeout_ms: 50 });
    const whole = await toolOf(server, {
      url: "https://api.vendor.example/",
      response: { max_chars: 20 },
      timeout_ms: 50,
    });
    const cases: [string, () => Response | Promise<Response>, object][] = [
      [
        part,
        () => Response.json({ why: "no" }, { status: 500 }),
        { ok: false, result: 'the service answered 500: {"why":"no"}' },
      ],
      [
        part,
        () => new Response("<html>"),
        { ok: false, error: "the service's response is not JSON, so response.path cannot be applied" },
      ],
      [
        part,
        () => new Response("x".repeat(10_000_000)),
        { ok: false, error: "the service's response is too long to search" },
      ],
      [
        part,
        () => new Response(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
        { ok: false, error: "the service's response is not JSON, so response.path cannot be applied" },
      ],
      [
        whole,
        () => new Response(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
        { ok: true, result: expect.stringMatching(/^\[{20}… \[cut/) },
      ],
      [part, () => Response.json({ b: 1 }), { ok: true, result: null }],
      [part, () => new Promise<Response>(() => {}), { ok: false, error: "no complete response arrived within 0.05 s" }],
      [
        part,
        () => Promise.reject(new TypeError("network")),
        { ok: false, error: "api.vendor.example could not be reached" },
      ],
      [part, () => new Response(null, { status: 302, headers: { location: "/again" } }), { ok: false, response: null }],
      [part, () => Response.redirect("https://169.254.169.254/"), { ok: false, response: null }],
      [whole, () => new Response("<html>"), { ok: true, result: "<html>" }],
      [
        whole,
        () => new Response("y".repeat(10_000_000)),
        { ok: true, result: `${"y".repeat(20)}… [cut: 20 of 262144 characters]` },
      ],
      [whole, () => new Response(null, { status: 204 }), { ok: true, result: null }],
    ];
    for (const [name, answer, expected] of cases) {
      vendor(answer);
      const { status, body } = await run(server, name);
      expect(status).toBe(200);
      expect(body).toMatchObject(expected);
    }
  });

  it("reports which integration or secret is missing", async () => {
    const { server } = await tenant();
    const requests = vendor(() => Response.json({}));
    const name = await toolOf(server, {
      url: "https://slack.com/api/test",
      auth: { type: "bearer", token: "{{slack.bot_token}}" },
    });
    expect((await run(server, name)).body).toMatchObject({
      ok: false,
      request: null,
      error: "the integration slack is not installed",
    });
    await server.post("/api/v1/integrations/slack/install");
    expect((await run(server, name)).body.error).toMatch(/^the integration slack lacks .*bot_token/);
    expect(requests).not.toHaveBeenCalled();
  });

  it("running a Python, unconfigured or unknown tool is refused", async () => {
    const { server } = await tenant();
    await server.post("/api/v1/tools", { name: "script", implementation_type: "python" });
    await server.post("/api/v1/tools", { name: "empty" });
    const python = await run(server, "script");
    expect([python.status, python.code]).toEqual([400, "runs_elsewhere"]);
    expect((await run(server, "empty")).body).toMatchObject({
      ok: false,
      request: null,
      error: expect.stringMatching(/no url/),
    });
    expect((await run(server, "nothing")).status).toBe(404);
  });
});
