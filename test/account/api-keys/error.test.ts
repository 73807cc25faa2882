import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

const KEYS = "/api/v1/api-keys";

describe("the API keys endpoint", () => {
  it.each([
    ["no name", {}, "invalid_request"],
    ["an empty name", { name: "  " }, "invalid_request"],
    ["no days", { name: "k", expiry: "0d" }, "invalid_expiry"],
    ["days without a number", { name: "k", expiry: "d" }, "invalid_expiry"],
    ["days below nothing", { name: "k", expiry: "-1d" }, "invalid_expiry"],
    ["a past time", { name: "k", expiry: "2020-01-01T00:00:00Z" }, "invalid_expiry"],
    ["a date only", { name: "k", expiry: "2099-01-01" }, "invalid_expiry"],
    ["a day no month has", { name: "k", expiry: "2099-13-45T00:00:00Z" }, "invalid_expiry"],
    ["a day its month does not have", { name: "k", expiry: "2099-02-29T00:00:00Z" }, "invalid_expiry"],
    ["an empty expiry", { name: "k", expiry: "" }, "invalid_expiry"],
    ["a number", { name: "k", expiry: 90 }, "invalid_request"],
  ])("an API key is not created with %s", async (_, body, code) => {
    const { user } = await tenant();
    const answer = await user.post(KEYS, body);
    expect([answer.status, answer.code]).toEqual([400, code]);
    expect((await user.get<object[]>(KEYS)).body).toHaveLength(1);
  });

  it("returns 400 for an id that is not a UUID, 404 for an unknown key", async () => {
    const { user } = await tenant();
    expect((await user.patch(`${KEYS}/1`, { disabled: true })).code).toBe("invalid_id");
    expect((await user.delete(`${KEYS}/1`)).code).toBe("invalid_id");
    const path = `${KEYS}/${crypto.randomUUID()}`;
    expect((await user.patch(path, { disabled: true })).status).toBe(404);
    expect((await user.delete(path)).status).toBe(404);
  });

  it("changes nothing for an invalid body", async () => {
    const { user, server, key } = await tenant();
    expect((await user.patch(`${KEYS}/${key.id}`, { disabled: "yes" })).status).toBe(400);
    expect((await server.get(KEYS)).status).toBe(200);
  });
});
