import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../support/client.ts";
import { append, type Campaign, contactOf, FROM, ready, upload } from "./support.ts";

const NUMBER = "+12025550110";
const REFUSED = ["a\0b", "\ud83d", "x\udcffy"];
const body = (text: string) => `{"variables":{"name":${JSON.stringify(text)}}}`;
const json = { "content-type": "application/json" };

async function campaignOf(server: Client): Promise<string> {
  return `/api/v1/campaigns/${(await upload(server, `phone_number,name\n${NUMBER},Ada\n`)).body.id}`;
}

describe("values of contacts: error", () => {
  it.each(REFUSED)("%j is refused in a correction, as value and as name, and changes nothing", async (text) => {
    const { server } = await tenant();
    const path = await campaignOf(server);
    const contact = `${path}/contacts/${(await contactOf(server, path)).id}`;
    const answer = await server.send("PATCH", contact, body(text), json);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.stringContaining("variables.name: must not contain NUL"),
    ]);
    const named = await server.send("PATCH", contact, `{"variables":{${JSON.stringify(text)}:"x"}}`, json);
    expect(named.status).toBe(400);
    expect(await contactOf(server, path)).toMatchObject({ variables: { name: "Ada" } });
  });

  it.each(REFUSED)("%j is refused in the variables of a call and of a session", async (text) => {
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
      expect.stringContaining("variables.name: must not contain NUL"),
    ]);
    const session = await who.user.post(`/api/v1/agents/${agent_id}/session`, { variables });
    expect(session.status).toBe(400);
  });

  it("a NUL is refused in an upload and in a further one", async () => {
    const { server } = await tenant();
    const list = `phone_number,name\n${NUMBER},a\0b\n`;
    expect((await upload(server, list)).status).toBe(400);
    expect((await append(server, await campaignOf(server), list)).status).toBe(400);
  });
});

describe("values of contacts: happy", () => {
  it("a corrected value survives an export and an upload of it", async () => {
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
