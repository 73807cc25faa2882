import { env, exports } from "cloudflare:workers";
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { afterEach, describe, expect, it, vi } from "vitest";
import { admit, enter } from "../../src/account/auth/admission.ts";
import { inServiceReads } from "../../src/account/in-service/reads.ts";
import { admitRuntime } from "../../src/conversation/runtime/session/admit-runtime.ts";
import { content } from "../../src/kernel/http/content.ts";
import type { AppEnv } from "../../src/kernel/http/context.ts";
import { endpoint } from "../../src/kernel/http/endpoint.ts";
import { requestScope } from "../../src/kernel/http/request-scope.ts";
import { serve, served } from "../../src/kernel/http/serve.ts";
import { run, toolOf, vendor } from "../agent/tools/support.ts";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { conversing, recordOf } from "../conversation/runtime/conversing.ts";
import { isReplay, postWithKey } from "../kernel/idempotency/support.ts";
import { apiKey, BASE, type Client, consoleUser, type Tenant, tenant } from "../support/client.ts";

afterEach(() => vi.unstubAllGlobals());

const ORDER = { order: { customer: "Ada", status: "on its way" } };
const CONFIG = { url: "https://api.vendor.example/orders", response: { path: "order" } };

/** The part of a tool run that contains the answer. */
interface Run {
  ok: boolean;
  response: { status: number; body: unknown };
  result: unknown;
}
const shownOf = ({ body: { ok, response, result } }: { body: Run }) => [ok, response.status, response.body, result];
const keyOf = (owner: Tenant, ...scopes: NonNullable<Parameters<typeof apiKey>[1]["scopes"]>) =>
  apiKey(owner.user, { scopes });
const narrow = async (owner: Tenant, id: string, limits: object) =>
  expect((await owner.user.patch(`/api/v1/api-keys/${id}`, limits)).status).toBe(204);

describe("what a tool answers", () => {
  it("a tool's result is null without listen", async () => {
    const owner = await tenant();
    vendor(() => Response.json(ORDER));
    const name = await toolOf(owner.server, CONFIG);
    const { server } = await keyOf(owner, "build");
    expect(shownOf((await run(server, name)) as { body: Run })).toEqual([true, 200, null, null]);
    const { server: listener } = await keyOf(owner, "build", "listen");
    expect(shownOf((await run(listener, name)) as { body: Run })).toEqual([true, 200, ORDER, ORDER.order]);
  });

  it("a repeated tool's result is null if the key has lost the scope meanwhile", async () => {
    const owner = await tenant();
    const asked = vendor(() => Response.json(ORDER));
    const name = await toolOf(owner.server, CONFIG);
    const { id, server } = await keyOf(owner, "build", "listen");
    const again = () => postWithKey<Run>(server, `/api/v1/tools/${name}/run`, "k", { arguments: {} });
    expect(shownOf(await again())).toEqual([true, 200, ORDER, ORDER.order]);
    await narrow(owner, id, { scopes: ["build"] });
    const replayed = await again();
    expect([isReplay(replayed), ...shownOf(replayed)]).toEqual([true, true, 200, null, null]);
    await narrow(owner, id, { scopes: ["read"] });
    expect((await again()).code).toBe("missing_scope");
    expect(asked.mock.calls.length).toBe(1);
  });
});

describe("a tool that names an integration", () => {
  it("a tool that names an integration requires connect to be saved or run", async () => {
    const owner = await tenant();
    const asked = vendor(() => Response.json({}));
    const named = { url: "{{custom_api.base_url}}/x" };
    const { server } = await keyOf(owner, "build", "listen");
    const [plain, naming] = [await toolOf(owner.server, CONFIG), await toolOf(owner.server, named)];
    const create = { name: "another", implementation_config: named, schema: { type: "object" } };
    expect((await server.post("/api/v1/tools", create)).code).toBe("missing_scope");
    expect((await server.put(`/api/v1/tools/${plain}`, { implementation_config: named })).code).toBe("missing_scope");
    expect((await server.put(`/api/v1/tools/${naming}`, { description: "mine" })).code).toBe("missing_scope");
    expect((await run(server, naming)).code).toBe("missing_scope");
    expect(asked).not.toHaveBeenCalled();
    expect((await server.put(`/api/v1/tools/${plain}`, { description: "mine" })).status).toBe(200);
    const { server: connector } = await keyOf(owner, "build", "connect");
    expect((await connector.put(`/api/v1/tools/${naming}`, { description: "mine" })).status).toBe(200);
  });
});

describe("a replayed answer", () => {
  it("a stored answer is not replayed to a key that is now limited to other agents", async () => {
    const owner = await tenant();
    const fields = await ready(owner);
    const other = (await owner.user.post<{ id: string }>("/api/v1/agents", { name: "b" })).body.id;
    const { id: campaign } = (await upload(owner.user, contactsCsv(1), fields)).body;
    const { id, server } = await keyOf(owner, "dial");
    const clone = () => postWithKey(server, `/api/v1/campaigns/${campaign}/clone`, "k", { contacts: "all" });
    const first = await clone();
    expect([first.status, isReplay(await clone())]).toEqual([201, true]);
    await narrow(owner, id, { agent_ids: [other] });
    expect((await clone()).code).toBe("idempotency_conflict");
    const total = (await owner.user.get<{ total: number }>("/api/v1/campaigns")).body.total;
    expect(total).toBe(2);
  });
});

/** Opens a stream. `over` resolves when it has ended. */
async function opened(path: string, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(new Request(BASE + path, { headers }));
  expect([path, response.status]).toEqual([path, 200]);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  const over = async () => {
    while (reader && !(await reader.read()).done);
    return true;
  };
  return { over };
}

describe("streams", () => {
  it("a ticket's stream has the authority under which it was requested, and ends with it", async () => {
    const owner = await tenant();
    const { id, server } = await keyOf(owner, "read", "listen");
    const { body } = await upload(owner.user, contactsCsv(1));
    const paths = ["/api/v1/events/stream/ticket", `/api/v1/campaigns/${body.id}/events/ticket`];
    const tickets = await Promise.all(paths.map(async (path) => (await server.post<{ url: string }>(path)).body.url));
    const addresses = tickets.map((url) => new URL(url)).map(({ pathname, search }) => pathname + search);
    const streams = await Promise.all(addresses.map((address) => opened(address)));
    await narrow(owner, id, { scopes: ["read"] });
    expect(await Promise.all(streams.map(({ over }) => over()))).toEqual([true, true]);
    for (const address of addresses) {
      const { status, headers } = await exports.default.fetch(new Request(BASE + address));
      expect([status, headers.get("x-error-code")]).toEqual([403, "access_revoked"]);
    }
  });

  it("streams of live conversations end once listen is taken away", async () => {
    const { call } = await conversing();
    const { id: conversation } = await recordOf(call);
    const path = `/api/v1/conversations/${conversation}/events`;
    const { id, server } = await apiKey(call.user, { scopes: ["listen"] });
    const { over } = await opened(path, server.headers);
    expect((await call.user.patch(`/api/v1/api-keys/${id}`, { scopes: ["read"] })).status).toBe(204);
    expect(await over()).toBe(true);
    expect((await server.get(path)).code).toBe("missing_scope");
  });
});

describe("a cached read", () => {
  it("a cached read is never shared between caller views, whether it found rows or none", async () => {
    const owner = await tenant();
    const agentOf = async (name: string) => (await owner.user.post<{ id: string }>("/api/v1/agents", { name })).body.id;
    const [one, two] = [await agentOf("one"), await agentOf("two")];
    const keyFor = async (...agent_ids: string[]) => (await apiKey(owner.user, { agent_ids })).server;
    const views: [Client, string[]][] = [
      [await keyFor(one), [one]],
      [await keyFor(two), [two]],
      [await keyFor(one, two), [one, two]],
      [owner.server, [one, two]],
      [await consoleUser(owner.account, "viewer"), [one, two]],
      [(await apiKey(owner.user, { scopes: ["read"] })).server, [one, two]],
    ];
    for (const _ of ["read", "kept"]) {
      for (const [client, theirs] of views) {
        const { body } = await client.get<{ id: string }[]>("/api/v1/agents");
        expect(body.map(({ id }) => id).sort()).toEqual([...theirs].sort());
        for (const id of [one, two]) {
          const { status } = await client.get(`/api/v1/agents/${id}`);
          expect([id, status]).toEqual([id, theirs.includes(id) ? 200 : 404]);
        }
      }
    }
  });
});

describe("a long list of rows", () => {
  it("hides content like a short list", async () => {
    const app = new OpenAPIHono<AppEnv>();
    app.use(requestScope({ runtime: admitRuntime, account: admit, reader: enter }, inServiceReads));
    const definition = endpoint({
      method: "get",
      path: "/long",
      access: "account",
      scope: ["read"],
      tag: "Tests",
      operationId: "longList",
      summary: "s",
      description: "d",
      status: 200,
      response: z.array(z.object({ said: content(z.string(), { description: "What was said." }) })),
    });
    serve(app, definition, () => Array.from({ length: 250 }, () => ({ said: "a secret" })));
    // Removed again, because other tests check every endpoint that the service serves.
    served.pop();
    const { account } = await tenant();
    const viewer = await consoleUser(account, "viewer");
    const response = await app.request(`${BASE}/long`, { headers: viewer.headers }, env);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain("a secret");
  });
});
