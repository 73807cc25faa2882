import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { type Campaign, contactsCsv, ready, upload } from "./support.ts";

describe("an invalid request for a campaign", () => {
  it.each([
    ["no phone_number column", "name\nAda\n", /phone_number/],
    ["a bad number", "phone_number\n+12025550101\nnonsense\n", /line 3/],
    ["an empty file", "", /empty/],
    ["a header alone", "phone_number,name\n", /no contacts/],
    ["a binary file", new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13])]), /UTF-8|NUL/],
    ["invalid UTF-8", new Blob([new Uint8Array([0x70, 0xc3, 0x28, 0x0a])]), /UTF-8/],
  ])("a campaign is refused for %s and stores nothing", async (_, file, message) => {
    const { server } = await tenant();
    const answer = await upload(server, file);
    expect([answer.status, answer.code]).toEqual([400, "invalid_csv"]);
    expect(answer.body).toMatch(message);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(0);
  });

  it.each([
    ["timezone", "Nowhere"],
    ["scheduled_at", "tomorrow"],
    ["schedule_config", "[]"],
    ["schedule_config", '[{"days":[8],"start":"09:00","end":"17:00"}]'],
    ["schedule_config", '[{"days":[1],"start":"17:00","end":"09:00"}]'],
    ["schedule_config", "{"],
    ["max_concurrency", "0"],
    ["calls_per_minute", "many"],
    ["retry_config", '{"retry_on":["weather"]}'],
    ["default_country", "XX"],
    ["on_invalid", "guess"],
    ["from_number", "202"],
    ["from_number", "+12025559999"],
    ["agent_id", "0190b1a0-0000-7000-8000-000000000000"],
  ])("a campaign is refused for the bad form field %s=%s", async (field, value) => {
    const { server } = await tenant();
    const answer = await upload(server, contactsCsv(2), { [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain(field);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(0);
  });

  it("starting or resuming a campaign with an archived agent is refused", async () => {
    const who = await tenant();
    const { agent_id, from_number } = await ready(who);
    const scheduled_at = "2099-01-01T00:00:00Z";
    const { body } = await upload(who.server, contactsCsv(2), { agent_id, from_number, scheduled_at });
    const path = `/api/v1/campaigns/${body.id}`;
    const archive = (status: string) => who.server.patch(`/api/v1/agents/${agent_id}`, { status });
    const operate = async (operation: string) => {
      const { status, code } = await who.server.post(`${path}/${operation}`);
      return [status, code];
    };
    await archive("archived");
    expect(await operate("start")).toEqual([409, "agent_archived"]);
    await archive("active");
    expect(await operate("start")).toEqual([200, null]);
    expect(await operate("pause")).toEqual([200, null]);
    await archive("archived");
    expect(await operate("resume")).toEqual([409, "agent_archived"]);
    expect((await who.server.get(path)).body).toMatchObject({ status: "paused" });
    expect(await operate("stop")).toEqual([200, null]);
  });

  it("a campaign is refused for a body that is not a multipart form, or a form without a file", async () => {
    const { server } = await tenant();
    const send = (body: string, type: string) =>
      server.send("POST", "/api/v1/campaigns", body, { "content-type": type });
    for (const answer of [
      await send("{}", "application/json"),
      await send("--x--\r\n", "multipart/form-data"),
      await send("", "multipart/form-data; boundary=x"),
      await send(
        '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nhi\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
      ),
      await send(
        '--x\r\ncontent-disposition: form-data; name="contacts"; filename="a.csv"\r\n\r\nphone_number\n+120255501',
        "multipart/form-data; boundary=x",
      ),
    ]) {
      expect(answer.status).toBe(400);
    }
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(0);
  });

  it("names what is missing if it starts a campaign", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(1));
    const answer = await server.post(`/api/v1/campaigns/${body.id}/start`);
    expect([answer.status, answer.code]).toEqual([409, "incomplete"]);
    expect(answer.body).toMatch(/agent_id and from_number/);
  });

  it("an operation that the campaign's state does not allow answers 409", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(1));
    const path = `/api/v1/campaigns/${body.id}`;
    expect((await server.post(`${path}/pause`)).status).toBe(409);
    expect((await server.post<Campaign>(`${path}/stop`)).body).toMatchObject({
      status: "stopped",
      counts: { pending: 0, cancelled: 1 },
    });
    for (const operation of ["start", "pause", "resume", "stop"]) {
      expect((await server.post(`${path}/${operation}`)).status, operation).toBe(409);
    }
    expect((await server.patch(path, { name: "late" })).status).toBe(409);
  });

  it("an unknown campaign or contact answers 404", async () => {
    const { server } = await tenant();
    const missing = "/api/v1/campaigns/0190b1a0-0000-7000-8000-000000000000";
    for (const path of [
      missing,
      `${missing}/contacts`,
      `${missing}/events`,
      `${missing}/export`,
      `${missing}/history`,
      "/api/v1/campaigns/x",
    ]) {
      expect((await server.get(path)).status, path).toBe(404);
    }
    const { body } = await upload(server, contactsCsv(1));
    expect((await server.get(`/api/v1/campaigns/${body.id}/contacts/${body.id}`)).status).toBe(404);
    expect((await server.get(`/api/v1/campaigns/${body.id}/contacts/x`)).body).toBe("contact not found");
    expect((await server.get(`/api/v1/campaigns/${body.id}/contacts?limit=1001`)).status).toBe(400);
    expect((await server.get(`/api/v1/campaigns/${body.id}/contacts?status=asleep`)).status).toBe(400);
  });
});
