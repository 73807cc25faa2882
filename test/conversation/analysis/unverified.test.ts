import { afterEach, describe, expect, it, vi } from "vitest";
import { livesWith } from "../runtime/conversing.ts";
import { analyzedCall, analyzedOnce, answering, OPENAI, tell } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Field = { name: string; type: string; said: string; value: unknown };

/** Values that callers say in their own words, with the reading of a good model. */
const SPOKEN: Field[] = [
  { name: "email", type: "text", said: "It's b o b dot miller at gmail dot com", value: "bob.miller@gmail.com" },
  { name: "phone", type: "text", said: "202 555 0143", value: "+12025550143" },
  { name: "budget", type: "number", said: "about $5k", value: 5000 },
  { name: "german_day", type: "date", said: "am vierundzwanzigsten Dezember 2026", value: "2026-12-24" },
  { name: "german_date", type: "date", said: "24. Dezember 2027", value: "2027-12-24" },
  { name: "french_day", type: "date", said: "le 3 mars 2027", value: "2027-03-03" },
  { name: "japanese_day", type: "date", said: "2027年3月4日", value: "2027-03-04" },
  { name: "price", type: "number", said: "1.234,56 €", value: 1234.56 },
  { name: "spanish_price", type: "number", said: "mil doscientos", value: 1200 },
];
/** A value that no turn contains literally. */
const INFERRED: Field = { name: "family", type: "number", said: "me, my wife and our two kids", value: 4 };

async function analyzed(fields: readonly Field[], agent: Record<string, unknown> = {}) {
  const data = fields.map(({ name, type }) => ({ name, type, description: "What the caller says of it." }));
  const call = await analyzedCall({ enabled: true, data }, agent);
  await livesWith(call, call.call_id, OPENAI);
  const turns = fields.map(({ said }) => ({ type: "user_turn", text: said }));
  const claims = Object.fromEntries(fields.map(({ name, value }, i) => [name, { value, turns: [i + 1] }]));
  answering({ summary: "S.", criteria: {}, data: claims });
  await tell(call, turns);
  return { call, conversation: await analyzedOnce(call) };
}

type Page = { conversations: { id: string }[] };
const PATH = "/api/v1/conversations";

describe("a value that a model gives", () => {
  it("a value is found if the caller says it in other words, in any language of the table", async () => {
    const { conversation } = await analyzed(SPOKEN);
    const found = SPOKEN.map(({ name, value }, i) => [name, { value, state: "found", turns: [i + 1], by: "caller" }]);
    expect(conversation.analysis.data).toEqual(Object.fromEntries(found));
  });

  it("a value that its turns leave open is kept as unverified", async () => {
    const { conversation } = await analyzed([INFERRED]);
    expect(conversation.analysis.data.family).toEqual({ value: 4, state: "unverified", turns: [1], by: "caller" });
  });
});

describe("an unverified value", () => {
  it("lists include unverified values only if `state` asks for them", async () => {
    const { call, conversation } = await analyzed([INFERRED, { name: "seats", type: "number", said: "5", value: 5 }]);
    const find = async (query: string) =>
      (await call.server.get<Page>(`${PATH}?${query}`)).body.conversations.map(({ id }) => id);
    await vi.waitFor(async () => expect(await find("data.seats=5")).toEqual([conversation.id]));
    expect(await find("data.family=4")).toEqual([]);
    expect(await find("data.family=4&state=found")).toEqual([]);
    expect(await find("data.family=4&state=unverified")).toEqual([conversation.id]);
    expect(await find("data.family=4&state=found,unverified")).toEqual([conversation.id]);
    expect(await find("data.seats=5&state=unverified")).toEqual([]);
    expect(await find("data.seats=5&data.family=4&state=found,unverified")).toEqual([conversation.id]);
    expect(await find("data.seats=5&data.family=4")).toEqual([]);
  });

  it("an unverified value is in exports beside its state", async () => {
    const { call } = await analyzed([
      INFERRED,
      { name: "gone", type: "text", said: "nothing", value: null },
      { name: "seats", type: "number", said: "5", value: 5 },
    ]);
    await vi.waitFor(async () => {
      const [head = "", row = ""] = (await call.server.get<string>(`${PATH}/export`)).body.split("\r\n");
      const names = ["family", "gone", "seats"].flatMap((name) => [`data.${name}`, `data.${name}.state`]);
      expect(head.split(",").slice(-6)).toEqual(names);
      expect(row.split(",").slice(-6)).toEqual(["4", "unverified", "", "not_mentioned", "5", "found"]);
    });
  });

  it("no event contains an unverified value", async () => {
    const { call, conversation } = await analyzed([
      { name: "email", type: "text", said: "the usual one", value: "unsaid@example.com" },
    ]);
    expect(conversation.analysis.data.email).toMatchObject({ value: "unsaid@example.com", state: "unverified" });
    await vi.waitFor(async () => {
      const { events } = (await call.server.get<{ events: object[] }>("/api/v1/events?types=conversation.analyzed"))
        .body;
      expect(events).toHaveLength(1);
      expect(JSON.stringify(events)).not.toContain("unsaid");
    });
  });

  it.each(["state=invalid", "state=", "state=found,maybe"])(
    "the filter %s does not find unverified values",
    async (query) => {
      const call = await analyzedCall();
      expect(await call.server.get(`${PATH}?data.a=1&${query}`)).toMatchObject({
        status: 400,
        code: "invalid_request",
      });
    },
  );
});

describe("the scripted analyst", () => {
  it("reads spoken addresses and numbers without cutting them at a dot", async () => {
    const data = [
      { name: "email", type: "text", description: "The caller's e-mail address." },
      { name: "phone", type: "text", description: "The phone number." },
      { name: "website", type: "text", description: "The website." },
      { name: "price", type: "text", description: "The price." },
      { name: "budget", type: "number", description: "The budget." },
    ];
    const call = await analyzedCall({ enabled: true, data });
    await tell(call, [
      { type: "user_turn", text: "My email is ada@example.com. Thanks." },
      { type: "user_turn", text: "My phone is two oh two five five five oh one four three" },
      { type: "user_turn", text: "The website is shop.example.com, look there." },
      { type: "user_turn", text: "The price is 1,234.56 dollars." },
      { type: "user_turn", text: "On 3 March 2027 my budget was $5k" },
    ]);
    const { analysis } = await analyzedOnce(call);
    const found = (value: unknown, turn: number) => ({ value, state: "found", turns: [turn], by: "caller" });
    expect(analysis.data).toEqual({
      email: found("ada@example.com", 1),
      phone: found("2025550143", 2),
      website: found("shop.example.com", 3),
      price: found("1,234.56 dollars", 4),
      budget: found(5000, 5),
    });
  });

  it("spells out an address that was spelled", async () => {
    const data = [{ name: "email", type: "text", description: "The caller's e-mail address." }];
    const call = await analyzedCall({ enabled: true, data });
    await tell(call, [
      { type: "agent_turn", text: "What is your email?" },
      { type: "user_turn", text: "b o b dot miller at gmail dot com" },
    ]);
    const { analysis } = await analyzedOnce(call);
    expect(analysis.data.email).toMatchObject({ value: "bob.miller@gmail.com", state: "found" });
  });
});
