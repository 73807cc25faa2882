import { describe, expect, it } from "vitest";
import { Client, tenant } from "../../support/client.ts";

const AGENTS = "/api/v1/agents";
/** Returns the id in upper case, as Swift writes UUIDs. */
const upper = (id: string) => id.toUpperCase();
const created = async (client: Client, path: string, body: object) => {
  const { status, body: made } = await client.post<{ id: string; agent_id: string | null }>(path, body);
  expect(status).toBe(201);
  return made;
};

describe("an id in upper case", () => {
  it("finds its resource in a path", async () => {
    const { server, user, key } = await tenant();
    const { id } = await created(server, AGENTS, { name: "Ada" });
    expect((await server.get(`${AGENTS}/${upper(id)}`)).body).toMatchObject({ id, name: "Ada" });
    expect((await server.patch(`${AGENTS}/${upper(id)}`, { name: "Bea" })).body).toMatchObject({ id, name: "Bea" });
    expect((await server.get(`${AGENTS}/${upper(id)}/tools`)).status).toBe(200);
    expect((await user.patch(`/api/v1/api-keys/${upper(key.id)}`, { name: "renamed" })).status).toBe(204);
    expect((await server.delete(`${AGENTS}/${upper(id)}`)).status).toBe(204);
    expect((await server.get(`${AGENTS}/${id}`)).status).toBe(404);
  });

  it("refers to its resource in a body and in a query", async () => {
    const { server } = await tenant();
    const { id } = await created(server, AGENTS, { name: "Ada" });
    const widgetKey = await created(server, "/api/v1/widget-keys", { name: "shop", agent_id: upper(id) });
    expect(widgetKey.agent_id).toBe(id);
    const numbers = "/api/v1/telephony/numbers";
    const number = await created(server, numbers, { e164: "+12025550100", provider: "sandbox", agent_id: upper(id) });
    expect(number.agent_id).toBe(id);
    expect((await server.patch(`${numbers}/${upper(number.id)}`, { agent_id: upper(id) })).status).toBe(204);
    expect((await server.get(`${numbers}?agent_id=${upper(id)}`)).body).toMatchObject({ total: 1 });
  });

  it("does not open an agent outside the key's agents", async () => {
    const { server, user } = await tenant();
    const [mine, other] = [
      await created(server, AGENTS, { name: "Ada" }),
      await created(server, AGENTS, { name: "Bea" }),
    ];
    const limited = await user.post<{ key: string }>("/api/v1/api-keys", { name: "k", agent_ids: [upper(mine.id)] });
    const client = new Client({ authorization: `Bearer ${limited.body.key}` });
    expect((await client.get(`${AGENTS}/${upper(mine.id)}`)).status).toBe(200);
    expect((await client.get(`${AGENTS}/${upper(other.id)}`)).status).toBe(404);
    expect((await client.patch(`${AGENTS}/${upper(other.id)}`, { name: "x" })).status).toBe(404);
  });
});
