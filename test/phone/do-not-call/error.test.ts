import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

const LIST = "/api/v1/do-not-call";

describe("do-not-call list: errors", () => {
  it.each([
    ["no numbers", {}],
    ["an empty list", { numbers: [] }],
    ["a number that is no E.164", { numbers: ["+13035550110", "3035550110"] }],
    ["a number that is no text", { numbers: [13035550110] }],
    ["a reason that is no text", { numbers: ["+13035550110"], reason: 1 }],
    ["more than 10,000", { numbers: Array.from({ length: 10_001 }, () => "+13035550110") }],
  ])("answers 400 for %s, and puts nothing on the list", async (_, body) => {
    const { server } = await tenant();
    expect((await server.post(LIST, body)).status).toBe(400);
    expect((await server.get(LIST)).body).toMatchObject({ total: 0 });
  });

  it("names the number that is wrong by its place", async () => {
    const { server } = await tenant();
    const answer = await server.post(LIST, { numbers: ["+13035550110", "x"] });
    expect(answer.body).toMatch(/^numbers\.1: must be a valid phone number with its country code/);
  });

  it("answers 404 for a number that is not on the list", async () => {
    const { server } = await tenant();
    expect((await server.delete(`${LIST}/+13035550110`)).status).toBe(404);
  });

  it("answers 400 for a text that is no number, and not on the list", async () => {
    const { server } = await tenant();
    const answer = await server.delete(`${LIST}/nonsense`);
    expect([answer.status, answer.code]).toEqual([400, "invalid_number"]);
  });

  it.each(["limit=0", "limit=101", "offset=-1"])("answers 400 for ?%s", async (query) => {
    const { server } = await tenant();
    expect((await server.get(`${LIST}?${query}`)).status).toBe(400);
  });
});
