import { describe, expect, it, vi } from "vitest";
import type { Cost } from "../../../src/records/prices/cost.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { sessionOf, withAgent } from "../agent-sessions/support.ts";

type Tested = Awaited<ReturnType<typeof withAgent>>;
interface Costed {
  status: string;
  cost: Cost | null;
}

const setPrices = ({ user }: Tested, input: number, output: number) =>
  user.patch("/api/v1/prices", {
    prices: [
      { what: "model/gpt-4o-mini/input", unit_micros: input },
      { what: "model/gpt-4o-mini/cached_input", unit_micros: 0 },
      { what: "model/gpt-4o-mini/output", unit_micros: output },
    ],
  });

describe("the cost of a conversation", () => {
  it("a conversation's cost is unknown until its end, then fixed at the prices of that moment", async () => {
    const who = await withAgent({ llm_model: "gpt-4o-mini" });
    const session = await sessionOf(who.user, who.agentId);
    const runtime = runtimeFor(who, session.access_token);
    const read = async () => (await who.user.get<Costed>(`/api/v1/conversations/${session.conversation_id}`)).body;
    const at = new Date().toISOString();
    const report = (...events: object[]) => runtime.post("/api/runtime/v1/session/events", { events });
    await setPrices(who, 1, 1);
    const used = { input_tokens: 1_500, cached_tokens: 500, output_tokens: 100 };
    await report(
      { seq: 1, at, type: "agent_turn", text: "Hello." },
      Object.assign({ seq: 2, at, type: "usage" }, used),
    );
    expect(await read()).toMatchObject({ status: "live", cost: null });
    await setPrices(who, 2_000_000, 30_000_000);
    await report({ seq: 3, at, type: "ended", reason: "visitor_left" });
    const { cost } = await vi.waitFor(async () => {
      const conversation = await read();
      expect(conversation.cost).not.toBeNull();
      return conversation;
    });
    const unit = "million_tokens";
    expect(cost).toEqual({
      amount_micros: 5_000,
      currency: "USD",
      items: [
        { what: "model/gpt-4o-mini/input", unit, quantity: 0.001, unit_micros: 2_000_000, amount_micros: 2_000 },
        { what: "model/gpt-4o-mini/cached_input", unit, quantity: 0.0005, unit_micros: 0, amount_micros: 0 },
        { what: "model/gpt-4o-mini/output", unit, quantity: 0.0001, unit_micros: 30_000_000, amount_micros: 3_000 },
      ],
      complete: true,
    });
    await setPrices(who, 7, 7);
    expect((await read()).cost).toEqual(cost);
    const { usage } = (await who.server.get<{ usage: object[] }>("/api/v1/usage?group_by=kind")).body;
    expect(usage).toMatchObject([{ kind: "test", conversations: 1, cost: 5_000, cost_incomplete: 0 }]);
  });
});
