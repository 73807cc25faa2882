import { describe, expect, it } from "vitest";
import { caller, originate } from "../../phone/calls/support.ts";
import { tenant } from "../../support/client.ts";
import { type Budget, createBudget, order } from "./support.ts";

const budgets = async ({ server }: Awaited<ReturnType<typeof tenant>>) =>
  (await server.get<{ budgets: Budget[] }>("/api/v1/budgets")).body.budgets;

describe("budgets", () => {
  it("budgets are created, listed, changed and deleted, with their use and period", async () => {
    const who = await tenant();
    const created = await createBudget(who, { warn_at: [0.9, 0.5, 0.5] });
    expect(created).toMatchObject(order({ scope_id: null, warn_at: [0.5, 0.9], used: 0 }));
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    expect(created.resets_at).toBe(midnight.toISOString());
    expect(await budgets(who)).toEqual([created]);
    const path = `/api/v1/budgets/${created.id}`;
    const changed = await who.server.patch<Budget>(path, { limit: 5, action: "warn", scope: "agent" });
    expect([changed.status, changed.body]).toMatchObject([200, { limit: 5, action: "warn", scope: "account" }]);
    expect((await who.server.get<Budget>(path)).body).toEqual(changed.body);
    expect((await who.server.delete(path)).status).toBe(204);
    expect(await budgets(who)).toEqual([]);
  });

  it("a budget for an agent, a campaign or a key warns at 80% by default", async () => {
    const who = await tenant();
    const { id: scope_id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body;
    expect(await createBudget(who, { scope: "agent", scope_id, period: "month" })).toMatchObject({ warn_at: [0.8] });
    const { body: keys } = await who.user.get<{ id: string }[]>("/api/v1/api-keys");
    expect(await createBudget(who, { scope: "api_key", scope_id: keys[0]?.id })).toMatchObject({ scope: "api_key" });
    expect(await createBudget(who, { unit: "call_minutes" })).toMatchObject({ unit: "call_minutes", used: 0 });
  });

  it("a budget is created once under an idempotency key and changed only from the revision in If-Match", async () => {
    const who = await tenant();
    const headers = { "idempotency-key": crypto.randomUUID(), "content-type": "application/json" };
    const post = () => who.server.send<Budget>("POST", "/api/v1/budgets", JSON.stringify(order()), headers);
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    expect(await budgets(who)).toHaveLength(1);
    const path = `/api/v1/budgets/${first.body.id}`;
    const tag = (await who.server.get(path)).headers.get("etag") ?? "";
    const change = (limit: number) => {
      const ifMatch = { "if-match": tag, "content-type": "application/json" };
      return who.server.send("PATCH", path, JSON.stringify({ limit }), ifMatch);
    };
    expect((await change(2)).status).toBe(200);
    expect(await change(3)).toMatchObject({ status: 412, code: "changed_meanwhile" });
  });
});

describe("budgets", () => {
  it.each<[string, Record<string, unknown>, number, string]>([
    ["no action", { action: undefined }, 400, "invalid"],
    ["a limit of nothing", { limit: 0 }, 400, "invalid"],
    ["half a token", { limit: 1.5 }, 400, "invalid"],
    ["a warning above the limit", { warn_at: [1.2] }, 400, "invalid"],
    ["an unknown scope", { scope: "planet" }, 400, "invalid"],
    ["an agent that is not there", { scope: "agent", scope_id: crypto.randomUUID() }, 400, "unknown_scope"],
    ["a campaign that is not there", { scope: "campaign", scope_id: crypto.randomUUID() }, 400, "unknown_scope"],
    ["an agent that it does not name", { scope: "agent" }, 400, "scope_id_needed"],
    ["an agent of the whole account", { scope_id: crypto.randomUUID() }, 400, "scope_id_unexpected"],
    ["costs that end something", { unit: "usd_micros", action: "end" }, 400, "only_warns"],
  ])("a budget with %s is refused", async (_, over, status, code) => {
    const who = await tenant();
    const answer = await who.server.post("/api/v1/budgets", order(over));
    expect([answer.status, status === 400 && code === "invalid" ? "invalid" : answer.code]).toEqual([status, code]);
    expect(await budgets(who)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["limit", -1],
    ["limit", 2 ** 53],
    ["limit", 1e308],
    ["limit", "5"],
    ["limit", null],
    ["limit", true],
    ["limit", [5]],
    ["warn_at", [0]],
    ["warn_at", [1]],
    ["warn_at", [-0.1]],
    ["warn_at", ["0.5"]],
    ["warn_at", [null]],
    ["warn_at", "0.5"],
    ["warn_at", Array.from({ length: 11 }, (_, n) => (n + 1) / 20)],
    ["action", "explode"],
    ["period", "year"],
    ["unit", "bytes"],
    ["scope_id", "not-an-id"],
    ["scope_id", 7],
    ["scope", "widget_key"],
  ])("a budget with a %s of %j is refused when it is created or changed", async (name, value) => {
    const who = await tenant();
    const bad = (body: object) =>
      JSON.parse(JSON.stringify(body).replace(/\}$/, `,"${name}":${JSON.stringify(value)}}`));
    const answer = await who.server.post<string>("/api/v1/budgets", bad(order()));
    expect(answer.status).toBe(400);
    const created = await createBudget(who, { limit: 7 });
    if (["limit", "warn_at", "action"].includes(name))
      expect((await who.server.patch(`/api/v1/budgets/${created.id}`, bad({ x: 1 }))).status).toBe(400);
    expect((await budgets(who)).filter(({ id }) => id === created.id)).toEqual([created]);
  });

  it("may be as large as exact integers, in every unit", async () => {
    const who = await caller();
    for (const unit of ["tokens", "call_minutes"]) {
      for (const [scope, scope_id] of Object.entries({ account: null, agent: who.agent_id, api_key: who.key.id })) {
        const created = await createBudget(who, {
          unit,
          scope,
          scope_id,
          limit: Number.MAX_SAFE_INTEGER,
          action: "end",
        });
        expect(created).toMatchObject({ limit: Number.MAX_SAFE_INTEGER, used: 0 });
      }
    }
    expect((await originate(who, "+13035550110")).status).toBe(200);
  });

  it("apply to agents of their own account only", async () => {
    const [who, other] = [await tenant(), await tenant()];
    const { body } = await other.server.post<{ id: string }>("/api/v1/agents", { name: "Theirs" });
    const answer = await who.server.post("/api/v1/budgets", order({ scope: "agent", scope_id: body.id }));
    expect([answer.status, answer.code]).toEqual([400, "unknown_scope"]);
  });
});
