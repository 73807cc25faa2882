import { afterEach, expect, it, vi } from "vitest";
import { type Tenant, tenant } from "../../support/client.ts";
import { ownTools } from "../../support/own-tools.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { vendor } from "../tools/support.ts";
import { agentPath, newAgent } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const SCHEMA = {
  type: "object",
  properties: { customer_id: { type: "string" }, day: { type: "string" } },
  required: ["customer_id", "day"],
};
const ORDERS = { method: "GET", url: "https://api.vendor.example/customers/{customer_id}", query: { day: "{day}" } };
/** The binding is unverified, because a tester chooses the variables of their own session. */
const IN_FORCE = {
  bind: { customer_id: { from: "contact.customer_id", unverified: true } },
  max_runs: 1,
  effect: "write",
};

interface Offered {
  tools: { name: string; parameters: { properties: object }; effect: string; max_runs: number | null }[];
}

/** Creates an agent whose version 1 reads any customer's orders, without a limit. */
async function agentWithOrders(fields: Record<string, unknown> = {}) {
  const who = await tenant();
  const id = await newAgent(who.server, fields);
  await who.server.post("/api/v1/tools", { name: "orders", implementation_config: ORDERS, schema: SCHEMA });
  await who.server.put(`${agentPath(id)}/tools`, { tool_name: "orders" });
  await who.server.post(`${agentPath(id)}/publish`);
  return { ...who, id };
}

/** Opens a conversation of the agent with the customer c7. */
async function session(who: Tenant & { id: string }, version: number | "live") {
  const sent = { version, variables: { customer_id: "c7" } };
  const { status, body } = await who.server.post<{ access_token: string }>(`${agentPath(who.id)}/session`, sent);
  expect(status, JSON.stringify(body)).toBe(200);
  const runtime = runtimeFor(who, body.access_token);
  const offered = ownTools((await runtime.get<Offered>("/api/runtime/v1/session")).body.tools);
  const use = async (args: object) =>
    (
      await runtime.post<{ ok: boolean; result: unknown }>("/api/runtime/v1/session/tools/orders", {
        arguments: args,
      })
    ).body;
  return { offered, use };
}

it("a pinned version's tool is limited to the runs, effect and bound arguments of the version in force", async () => {
  const who = await agentWithOrders();
  await who.server.put("/api/v1/tools/orders", IN_FORCE);
  const requests = vendor(() => Response.json({ orders: [] }));
  const { offered, use } = await session(who, 1);
  expect(offered).toMatchObject([{ name: "orders", effect: "write", max_runs: 1 }]);
  expect(Object.keys(offered[0]?.parameters.properties ?? {})).toEqual(["day"]);
  expect(await use({ customer_id: "c8", day: "monday" })).toMatchObject({
    ok: false,
    result: "the arguments are invalid: customer_id must not be sent: Switchboard fills it in",
  });
  expect(requests).not.toHaveBeenCalled();
  expect(await use({ day: "monday" })).toMatchObject({ ok: true });
  expect(String(requests.mock.calls[0]?.[0])).toBe("https://api.vendor.example/customers/c7?day=monday");
  expect(await use({ day: "tuesday" })).toMatchObject({
    ok: false,
    result: "the tool has run once in this conversation and must not run again",
  });
  expect(requests).toHaveBeenCalledTimes(1);
});

it("a running conversation's tool is limited in the same way once another version is published", async () => {
  const who = await agentWithOrders({ versioning: "manual" });
  const requests = vendor(() => Response.json({ orders: [] }));
  const { offered, use } = await session(who, "live");
  expect(offered).toMatchObject([{ name: "orders", effect: "read", max_runs: null }]);
  await who.server.put("/api/v1/tools/orders", IN_FORCE);
  expect(await use({ customer_id: "c8", day: "monday" })).toMatchObject({ ok: true });
  await who.server.post(`${agentPath(who.id)}/publish`);
  expect(await use({ customer_id: "c8", day: "tuesday" })).toMatchObject({ ok: false });
  expect(requests).toHaveBeenCalledTimes(1);
});

it("a tool in force has the text that a restored version gave it", async () => {
  const who = await agentWithOrders();
  await who.server.put("/api/v1/tools/orders", IN_FORCE);
  await who.server.post(`${agentPath(who.id)}/publish`);
  await who.server.put("/api/v1/tools/orders", { bind: {}, max_runs: null, effect: null });
  await who.server.post(`${agentPath(who.id)}/versions/2/restore`);
  const requests = vendor(() => Response.json({ orders: [] }));
  const { use } = await session(who, 1);
  expect(await use({ customer_id: "c8", day: "monday" })).toMatchObject({ ok: false });
  expect(requests).not.toHaveBeenCalled();
});
