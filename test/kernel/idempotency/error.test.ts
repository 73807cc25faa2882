import { describe, expect, it } from "vitest";
import { breakD1, repair } from "../../support/broken-d1.ts";
import { tenant } from "../../support/client.ts";
import { isReplay, postWithKey } from "./support.ts";

const AGENTS = "/api/v1/agents";

describe("an Idempotency-Key", () => {
  it.each([
    ["an empty key", ""],
    ["a key with a space", "a b"],
    ["a key that is too long", "k".repeat(256)],
    ["a key with a letter beyond ASCII", "schlüssel"],
    ["a key with a tab", "a\tb"],
  ])("an Idempotency-Key is refused: %s", async (_, key) => {
    const { user } = await tenant();
    const answer = await postWithKey(user, AGENTS, key, { name: "a" });
    expect([answer.status, answer.code]).toEqual([400, "invalid_idempotency_key"]);
    expect((await user.get(AGENTS)).body).toEqual([]);
  });

  it("may contain any visible ASCII characters, at most 255", async () => {
    const { user } = await tenant();
    const visible = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join("");
    const key = visible.repeat(3).slice(0, 255);
    expect((await postWithKey(user, AGENTS, key, { name: "a" })).status).toBe(201);
    expect(isReplay(await postWithKey(user, AGENTS, key, { name: "a" }))).toBe(true);
  });

  it("refuses a different request: another body, path or query", async () => {
    const { user } = await tenant();
    await postWithKey(user, AGENTS, "k", { name: "a" });
    for (const [path, body] of [
      [AGENTS, { name: "b" }],
      [AGENTS, { name: "a", description: "" }],
      ["/api/v1/tools", { name: "a" }],
    ] as const) {
      const answer = await postWithKey(user, path, "k", body);
      expect([answer.status, answer.code, isReplay(answer)]).toEqual([409, "idempotency_conflict", false]);
    }
    expect((await user.get(AGENTS)).body).toHaveLength(1);
  });

  it("does not store an invalid request", async () => {
    const { user } = await tenant();
    expect((await postWithKey(user, AGENTS, "k", { name: "" })).status).toBe(400);
    expect((await postWithKey(user, `${AGENTS}?x=1`, "k", { name: "a" })).code).toBe("unknown_query_parameter");
    expect((await postWithKey(user, AGENTS, "k", { name: "a" })).status).toBe(201);
  });

  it("reports that a response was too long to be stored, and does not repeat the request", async () => {
    const { user } = await tenant();
    const body = { name: "a", system_prompt: "ü".repeat(128 * 1024), greeting_message: "ü".repeat(5_000) };
    // A line break takes two bytes in JSON.
    const long = { name: "b", system_prompt: "\n".repeat(256 * 1024) };
    expect((await postWithKey(user, AGENTS, "short", body)).status).toBe(201);
    expect(isReplay(await postWithKey(user, AGENTS, "short", body))).toBe(true);
    expect((await postWithKey(user, AGENTS, "k", long)).status).toBe(201);
    const again = await postWithKey(user, AGENTS, "k", long);
    expect([again.status, again.code]).toEqual([409, "idempotency_answer_not_kept"]);
    expect((await user.get(AGENTS)).body).toHaveLength(2);
  });

  it("runs a request again if the service failed", async () => {
    const { user, account } = await tenant();
    const order = { name: "a" };
    await breakD1(account, ["audit_log"], ["INSERT"]);
    const failed = await postWithKey(user, AGENTS, "k", order);
    await repair();
    expect(failed.status).toBe(500);
    const again = await postWithKey(user, AGENTS, "k", order);
    expect([again.status, isReplay(again)]).toEqual([201, false]);
    expect((await user.get(AGENTS)).body).toHaveLength(1);
  });
});
