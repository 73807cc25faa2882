import { describe, expect, it } from "vitest";
import { type Campaign, contactsCsv, FROM, ready, upload } from "../../campaign/support.ts";
import { tenant } from "../../support/client.ts";

const PAIRS = 12;

describe("deleting an agent while its campaign starts", () => {
  it("never succeeds together with the start", async () => {
    const created = await tenant();
    await ready(created);
    const { server } = created;
    for (let pair = 0; pair < PAIRS; pair++) {
      const { id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "A" })).body;
      const fields = { agent_id: id, from_number: FROM, scheduled_at: "2126-01-01T00:00:00Z" };
      const campaign = `/api/v1/campaigns/${(await upload(server, contactsCsv(1), fields)).body.id}`;
      const requests = [() => server.post<Campaign>(`${campaign}/start`), () => server.delete(`/api/v1/agents/${id}`)];
      const answers = await Promise.all((pair % 2 ? requests.toReversed() : requests).map((send) => send()));
      const [start, gone] = pair % 2 ? answers.toReversed() : answers;
      const { status } = (await server.get<Campaign>(campaign)).body;
      if (start?.status === 200) expect([gone?.status, gone?.code, status]).toEqual([409, "agent_in_use", "running"]);
      else expect([start?.status, start?.code, gone?.status, status]).toEqual([409, "incomplete", 204, "draft"]);
      expect((await server.get(`/api/v1/agents/${id}`)).status).toBe(start?.status === 200 ? 200 : 404);
    }
  });

  it("keeps its number if refused, and succeeds once the campaign is paused or if it was not started", async () => {
    const created = await tenant();
    const { server } = created;
    const { agent_id, from_number } = await ready(created);
    const { numbers } = (await server.get<{ numbers: { id: string }[] }>("/api/v1/telephony/numbers")).body;
    const number = `/api/v1/telephony/numbers/${numbers[0]?.id}`;
    await server.patch(number, { agent_id });
    const fields = { agent_id, from_number, scheduled_at: "2126-01-01T00:00:00Z" };
    const campaign = `/api/v1/campaigns/${(await upload(server, contactsCsv(1), fields)).body.id}`;
    await server.post(`${campaign}/start`);
    const path = `/api/v1/agents/${agent_id}`;
    expect((await server.delete(path)).code).toBe("agent_in_use");
    expect((await server.get(number)).body).toMatchObject({ agent_id });
    await server.post(`${campaign}/pause`);
    expect((await server.delete(path)).status).toBe(204);
    expect((await server.get(number)).body).toMatchObject({ agent_id: null });
    expect((await server.post(`${campaign}/resume`)).code).toBe("incomplete");
    expect((await server.delete(path)).status).toBe(404);
  });
});
