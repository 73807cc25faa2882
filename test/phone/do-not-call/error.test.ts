import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

const LIST = "/api/v1/do-not-call";

describe("invalid requests to the do-not-call list", () => {
  it.each([
    ["no numbers", {}],
    ["an empty list", { numbers: [] }],
    ["a number that is not E.164", { numbers: ["+13035550110", "3035550110"] }],
    ["a number that is not a string", { numbers: [13035550110] }],
    ["a reason that is not a string", { numbers: ["+13035550110"], reason: 1 }],
    ["more than 10,000", { numbers: Array.from({ length: 10_001 }, () => "+13035550110") }],
  ])("the do-not-call list answers 400 for %s without storing anything", async (_, body) => {
    const { server } = await tenant();
    expect((await server.post(LIST, body)).status).toBe(400);
    expect((await server.get(LIST)).body).toMatchObject({ total: 0 });
  });

  it("the do-not-call list names an invalid number by its position", async () => {
    const { server } = await tenant();
    const answer = await server.post(LIST, { numbers: ["+13035550110", "x"] });
    expect(answer.body).toMatch(/^numbers\.1: must be a valid phone number with its country code/);
  });

  it("removing a number that is not on the do-not-call list answers 404", async () => {
    const { server } = await tenant();
    expect((await server.delete(`${LIST}/+13035550110`)).status).toBe(404);
  });

  it("removing a text that is neither a number nor listed answers 400", async () => {
    const { server } = await tenant();
    const answer = await server.delete(`${LIST}/nonsense`);
    expect([answer.status, answer.code]).toEqual([400, "invalid_number"]);
  });

  it.each(["limit=0", "limit=101", "offset=-1"])("the do-not-call list answers 400 for ?%s", async (query) => {
    const { server } = await tenant();
    expect((await server.get(`${LIST}?${query}`)).status).toBe(400);
  });
});
