import { describe, expect, it } from "vitest";
import { type Client, type Tenant, tenant } from "../support/client.ts";
import { append, type Campaign, contactOf, FROM, ready, upload } from "./support.ts";

const NUMBER = "+12025550110";
const REFUSED = ["a\0b", "\ud83d", "x\udcffy"];
const body = (text: string) => `{"variables":{"name":${JSON.stringify(text)}}}`;
const json = { "content-type": "application/json" };

async function campaignOf(server: Client): Promise<string> {
  return `/api/v1/campaigns/${(await upload(server, `phone_number,name\n${NUMBER},Ada\n`)).body.id}`;
}

describe("invalid values of contacts", () => {
  it.each(REFUSED)("contact values with %j are refused in a correction, as value and as name", async (text) => {
    const { server } = await tenant();
    const path = await campaignOf(server);
    const contact = `${path}/contacts/${(await contactOf(server, path)).id}`;
    const answer = await server.send("PATCH", contact, body(text), json);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringMatching(/variables\.name: must not contain .*unpaired surrogates/),
    ]);
    const named = await server.send("PATCH", contact, `{"variables":{${JSON.stringify(text)}:"x"}}`, json);
    expect(named.status).toBe(400);
    expect(await contactOf(server, path)).toMatchObject({ variables: { name: "Ada" } });
  });

  it.each(REFUSED)("values with %j are refused in the variables of a call and of a session", async (text) => {
    const who = await tenant();
    const { agent_id } = await ready(who);
    const variables = { name: text };
    const placed = await who.server.post("/api/v1/calls/originate", {
      agent_id,
      from_number: FROM,
      to_number: NUMBER,
      variables,
    });
    expect([placed.status, placed.body]).toEqual([
      400,
      expect.stringMatching(/variables\.name: must not contain .*unpaired surrogates/),
    ]);
    const session = await who.user.post(`/api/v1/agents/${agent_id}/session`, { variables });
    expect(session.status).toBe(400);
  });

  const LIST = `phone_number,name\n${NUMBER},Ada\n`;
  const rows = JSON.stringify({ 2: { name: "a\0b" } });
  const columns = JSON.stringify({ "na\0me": "name" });
  /** Every endpoint that accepts values of contacts, with a NUL in one. */
  const DOORS: Record<string, (who: Tenant) => Promise<{ status: number }>> = {
    upload: ({ server }) => upload(server, LIST.replace("Ada", "a\0b")),
    append: async ({ server }) => append(server, await campaignOf(server), LIST.replace("Ada", "a\0b")),
    "a corrected row of an upload": ({ server }) => upload(server, LIST, { rows }),
    "a corrected row of a further list": async ({ server }) => append(server, await campaignOf(server), LIST, { rows }),
    "a column's name": ({ server }) => upload(server, LIST, { columns }),
    async correction({ server }) {
      const path = await campaignOf(server);
      return server.patch(`${path}/contacts/${(await contactOf(server, path)).id}`, { variables: { name: "a\0b" } });
    },
    async originate(who) {
      const { agent_id, from_number } = await ready(who);
      const order = { agent_id, from_number, to_number: NUMBER, variables: { name: "a\0b" } };
      return who.server.post("/api/v1/calls/originate", order);
    },
    async session(who) {
      const { agent_id } = await ready(who);
      return who.user.post(`/api/v1/agents/${agent_id}/session`, { variables: { name: "a\0b" } });
    },
  };

  it.each(Object.entries(DOORS))("contact values with a NUL are refused by %s", async (_, enter) => {
    expect((await enter(await tenant())).status).toBe(400);
  });
});

describe("valid values of contacts", () => {
  it("survive an export and an upload after a correction", async () => {
    const { server } = await tenant();
    const path = await campaignOf(server);
    const contact = `${path}/contacts/${(await contactOf(server, path)).id}`;
    const name = "Zoë \u{1f600} \u202e \u0007 \"q\", 'x'";
    expect((await server.patch(contact, { variables: { name } })).status).toBe(200);
    const csv = (await server.get<string>(`${path}/export`)).body;
    const again = await upload(server, csv);
    expect(again.status).toBe(201);
    const copy = await contactOf(server, `/api/v1/campaigns/${(again.body as Campaign).id}`);
    expect(copy.variables.name).toBe(name);
  });
});
