import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

interface PhoneNumber {
  id: string;
  e164: string;
  provider: string;
  agent_id: string | null;
  credentials_id: string | null;
  inbound_enabled: boolean;
  outbound_enabled: boolean;
}
interface Credentials {
  id: string;
  provider: string;
  label: string;
  credential_keys: string[];
}

const NUMBERS = "/api/v1/telephony/numbers";
const PROVIDERS = "/api/v1/telephony/providers";

describe("numbers", () => {
  it("a number is registered with its defaults, listed and removed", async () => {
    const { server } = await tenant();
    const created = await server.post<PhoneNumber>(NUMBERS, { e164: "+12025550100", provider: "sandbox" });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      e164: "+12025550100",
      provider: "sandbox",
      credentials_id: null,
      agent_id: null,
      inbound_enabled: true,
      outbound_enabled: true,
    });
    expect((await server.get(NUMBERS)).body).toEqual({ numbers: [created.body], total: 1 });
    expect((await server.delete(`${NUMBERS}/${created.body.id}`)).status).toBe(204);
    expect((await server.get(NUMBERS)).body).toEqual({ numbers: [], total: 0 });
  });

  it("numbers are listed newest first or by agent", async () => {
    const { server } = await tenant();
    const agent = (await server.post<{ id: string }>("/api/v1/agents", { name: "A" })).body.id;
    for (const [e164, agent_id] of [
      ["+12025550101", agent],
      ["+12025550102", null],
      ["+12025550103", agent],
    ])
      await server.post(NUMBERS, { e164, provider: "sandbox", agent_id });
    const numbersOf = async (query: string) =>
      (await server.get<{ numbers: PhoneNumber[] }>(`${NUMBERS}${query}`)).body.numbers.map(({ e164 }) => e164);
    expect(await numbersOf("")).toEqual(["+12025550103", "+12025550102", "+12025550101"]);
    expect(await numbersOf(`?agent_id=${agent}`)).toEqual(["+12025550103", "+12025550101"]);
    expect(await numbersOf(`?agent_id=${crypto.randomUUID()}`)).toEqual([]);
  });

  it("a number is pinned to an agent until null or an empty string unpins it", async () => {
    const { server } = await tenant();
    const agent_id = (await server.post<{ id: string }>("/api/v1/agents", { name: "A" })).body.id;
    const { id } = (await server.post<PhoneNumber>(NUMBERS, { e164: "+12025550100", provider: "sandbox" })).body;
    const pinned = async () =>
      (await server.get<{ numbers: PhoneNumber[] }>(NUMBERS)).body.numbers.map((number) => number.agent_id);
    for (const none of [null, ""]) {
      expect((await server.patch(`${NUMBERS}/${id}`, { agent_id })).status).toBe(204);
      expect(await pinned()).toEqual([agent_id]);
      expect((await server.patch(`${NUMBERS}/${id}`, { agent_id: none })).status).toBe(204);
      expect(await pinned()).toEqual([null]);
    }
  });

  it("deleting an agent unpins its numbers", async () => {
    const { server } = await tenant();
    const agent_id = (await server.post<{ id: string }>("/api/v1/agents", { name: "A" })).body.id;
    await server.post(NUMBERS, { e164: "+12025550100", provider: "sandbox", agent_id });
    expect((await server.delete(`/api/v1/agents/${agent_id}`)).status).toBe(204);
    expect((await server.get<{ numbers: PhoneNumber[] }>(NUMBERS)).body.numbers[0]?.agent_id).toBeNull();
  });

  it("a number takes its provider from its credentials", async () => {
    const { server } = await tenant();
    const credentials = await server.post<Credentials>(PROVIDERS, { provider: "sandbox", credentials: {} });
    const created = await server.post<PhoneNumber>(NUMBERS, {
      e164: "+12025550100",
      credentials_id: credentials.body.id,
    });
    expect(created.body).toMatchObject({ provider: "sandbox", credentials_id: credentials.body.id });
  });

  it("two accounts may register the same number", async () => {
    for (const { server } of [await tenant(), await tenant()])
      expect((await server.post(NUMBERS, { e164: "+12025550100", provider: "sandbox" })).status).toBe(201);
  });
});

describe("carrier credentials", () => {
  it("carrier credentials are stored, listed by their metadata, verified and removed", async () => {
    const { server } = await tenant();
    const created = await server.post<Credentials>(PROVIDERS, { provider: "sandbox", label: "Mine", credentials: {} });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ provider: "sandbox", label: "Mine", credential_keys: [] });
    expect((await server.get(PROVIDERS)).body).toEqual({ providers: [created.body], total: 1 });
    expect((await server.post(`${PROVIDERS}/${created.body.id}/verify`)).body).toMatchObject({ ok: true });
    expect((await server.delete(`${PROVIDERS}/${created.body.id}`)).status).toBe(204);
    expect((await server.get(PROVIDERS)).body).toEqual({ providers: [], total: 0 });
  });

  it("credentials without a label are labeled by their provider", async () => {
    const { server } = await tenant();
    const created = await server.post<Credentials>(PROVIDERS, { provider: "sandbox", credentials: {} });
    expect(created.body.label).toBe("sandbox");
  });
});
