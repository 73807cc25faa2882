import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { framesOf, openaiFrames } from "../../../../src/dev/stand-in-frames.ts";
import { budget, createBudget } from "../../../account/budgets/support.ts";
import { setQuotas } from "../../../account/quotas/support.ts";
import { runtimeFor } from "../../../support/runtime.ts";
import { livesWith } from "../conversing.ts";
import { addressesIn, GREETING, type Listener, listener, mp3, outcome, vendorAnswers, visits } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const GUESTS = "guests";

/** Sets a day's counter to this many characters. */
async function spoken({ who }: Listener, chars: number, counter: string): Promise<void> {
  const meter = env.ACCOUNT_METER.getByName(who.account) as unknown as DurableObjectStub;
  await runInDurableObject(meter, (_, { storage }) => {
    const changed = storage.sql.exec(
      "UPDATE visitor_days SET speech_chars = ? WHERE who LIKE ? AND speech_chars > 0 RETURNING 1",
      chars,
      counter,
    );
    expect(changed.toArray()).toHaveLength(1);
  });
}

describe("the agent's own voice", () => {
  it("speaks 20,000 characters in a conversation", async () => {
    const heard = await listener();
    await livesWith(heard.who, heard.key, { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" });
    const answer = `${"We are open every day. ".repeat(340)}Bye.`;
    const frames = framesOf(openaiFrames(), [{ say: answer }]).join("");
    vi.stubGlobal("fetch", async (input: RequestInfo | URL) =>
      new Request(input).url.startsWith("http://model.test") ? new Response(frames) : mp3(),
    );
    const outcomes: string[] = [];
    for (let n = 0; n < 3; n++) {
      heard.socket.send({ type: "message", text: "Tell me everything." });
      const said = await heard.socket.until(({ type, text }) => type === "message" && text === answer);
      for (const address of addressesIn(said)) outcomes.push(await outcome(address));
    }
    const spokenParts = outcomes.indexOf("429 speech_limit");
    // The parts of these answers have at most 500 characters.
    expect(spokenParts).toBeGreaterThanOrEqual(40);
    expect(new Set(outcomes.slice(0, spokenParts))).toEqual(new Set(["200"]));
    const path = `/api/v1/conversations/${heard.frames[0]?.conversation_id}`;
    const { usage } = (await heard.who.server.get<{ usage: { speech_chars: number } }>(path)).body;
    expect(usage.speech_chars).toBeGreaterThan(19_000);
    expect(usage.speech_chars).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ["a visitor's day", 40_000, "visitor %"],
    ["a widget key's day", 200_000, "all"],
    ["the day of a widget key's guests", 100_000, GUESTS],
  ])("the agent's own voice stops at the ceiling of %s", async (_, most, counter) => {
    const heard = await listener();
    const requests = vendorAnswers();
    const [first, second] = addressesIn(heard.frames);
    expect(await outcome(first)).toBe("200");
    await spoken(heard, most - 1, counter);
    expect(await outcome(second)).toBe("429 speech_limit");
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["a visitor", 40_000, "visitor %"],
    ["a widget key", 200_000, "all"],
    ["a widget key's guests", 100_000, GUESTS],
  ])("refunds a part to the day of %s if the vendor did not speak it", async (_, most, counter) => {
    const heard = await listener();
    const [first, second] = addressesIn(heard.frames);
    vendorAnswers();
    expect(await outcome(first)).toBe("200");
    await spoken(heard, most - GREETING.length + (GREETING.indexOf(".") + 2), counter);
    vendorAnswers(() => new Response("no", { status: 503 }));
    expect(await outcome(second)).toBe("502 speech_failed");
    vendorAnswers();
    await vi.waitFor(async () => expect(await outcome(second)).toBe("200"));
  });

  it("speaks to 50 visitors at once and counts every character", async () => {
    const heard = await listener();
    const { who } = heard;
    await setQuotas(who.account, { conversations: 200 });
    const others: Listener[] = [];
    for (let n = 1; n < 50; n++) others.push(await visits(who));
    const requests = vendorAnswers();
    const addresses = [heard, ...others].map(({ frames }) => addressesIn(frames)[0]);
    const outcomes = await Promise.all(addresses.map((address) => outcome(address)));
    expect(outcomes).toEqual(Array.from({ length: 50 }, () => "200"));
    expect(requests).toHaveLength(50);
    const meter = env.ACCOUNT_METER.getByName(who.account) as unknown as DurableObjectStub;
    await runInDurableObject(meter, (_, { storage }) => {
      const counted = storage.sql.exec("SELECT speech_chars FROM visitor_days WHERE who = 'all'").toArray();
      expect(counted).toEqual([{ speech_chars: 50 * "Hello there.".length }]);
    });
  });

  it("counts towards budgets of spoken characters", async () => {
    const heard = await listener();
    const { id } = await createBudget(heard.who, { unit: "speech_chars", limit: 1_000 });
    vendorAnswers();
    for (const address of addressesIn(heard.frames)) expect(await outcome(address)).toBe("200");
    await runtimeFor(heard.who, heard.token).post("/api/runtime/v1/session/hangup");
    const spaces = addressesIn(heard.frames).length - 1;
    await vi.waitFor(async () => expect((await budget(heard.who, id)).used).toBe(GREETING.length - spaces));
  });

  it.each(["stop_new", "end"])("falls silent when a budget with the action %s is reached", async (action) => {
    const heard = await listener();
    await createBudget(heard.who, { unit: "speech_chars", limit: 30, action });
    const requests = vendorAnswers();
    const [first, second] = addressesIn(heard.frames);
    expect(await outcome(first)).toBe("200");
    expect(await outcome(second)).toBe("429 budget_reached");
    expect(requests).toHaveLength(1);
  });

  it("does not end the conversation when a budget is reached", async () => {
    const heard = await listener();
    await createBudget(heard.who, { unit: "speech_chars", limit: 1, action: "end" });
    vendorAnswers();
    expect(await outcome(addressesIn(heard.frames)[0])).toBe("429 budget_reached");
    heard.socket.send({ type: "message", text: "Can I talk about something?" });
    const answer = await heard.socket.until(({ type }) => type === "message");
    expect(answer.at(-1)).toMatchObject({ type: "message", speech: expect.any(String) });
  });

  it("speaks beyond a budget that only warns", async () => {
    const heard = await listener();
    await createBudget(heard.who, { unit: "speech_chars", limit: 1, action: "warn" });
    vendorAnswers();
    for (const address of addressesIn(heard.frames)) expect(await outcome(address)).toBe("200");
  });

  it("counts in a budget that is created afterwards", async () => {
    const heard = await listener();
    vendorAnswers();
    const [first] = addressesIn(heard.frames);
    expect(await outcome(first)).toBe("200");
    await runtimeFor(heard.who, heard.token).post("/api/runtime/v1/session/hangup");
    await vi.waitFor(async () => {
      const { body } = await heard.who.server.get<{ usage: { speech_chars: number }[] }>("/api/v1/usage?group_by=kind");
      expect(JSON.stringify(body)).toContain('"speech_chars":12');
    });
    expect((await createBudget(heard.who, { unit: "speech_chars", limit: 1_000 })).used).toBe(12);
  });

  it("limits guests to half of a budget", async () => {
    const heard = await listener();
    await createBudget(heard.who, { unit: "speech_chars", limit: 30 });
    vendorAnswers();
    const [first] = addressesIn(heard.frames);
    expect(await outcome(first)).toBe("200");
    const other = await visits(heard.who);
    expect(await outcome(addressesIn(other.frames)[0])).toBe("429 budget_reached");
  });
});
