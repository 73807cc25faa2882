import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownMetadata } from "../../../src/phone/calls/call-projection.ts";
import { started, until } from "../../campaign/support.ts";
import {
  type Call,
  type Calls,
  caller,
  getCall,
  isOver,
  originate,
  report,
  running,
  settled,
  slowly,
} from "./support.ts";

const TO = "+13035550110";

const OWN = { constructor: "b", "First Name": "Ann", "": "" };

describe("the client's data on a call", () => {
  it("the client's data on a call is returned with the response, the call, the list and the hang-up", async () => {
    const who = await caller();
    await slowly(who);
    const metadata = { order: { id: 7, tags: ["a", null] }, "": false };
    const placed = await originate(who, TO, { variables: OWN, metadata });
    expect([placed.status, placed.body.variables, placed.body.metadata]).toEqual([200, OWN, metadata]);
    const { call_id } = placed.body;
    const [listed] = (await who.server.get<Calls>("/api/v1/calls")).body.calls;
    for (const call of [listed, await getCall(who.server, call_id)])
      expect([call?.variables, call?.metadata]).toEqual([OWN, metadata]);
    expect(Object.keys(listed?.variables ?? {})).toEqual(Object.keys(OWN));
    const hungUp = await who.server.post<Call>(`/api/v1/calls/${call_id}/hangup`);
    expect(hungUp.body).toMatchObject({
      variables: { constructor: "b" },
      metadata: { ...metadata, hangup_requested: true },
    });
  });

  it("the client's data on a call is empty on a call placed without it", async () => {
    const who = await caller();
    const { body } = await originate(who, TO);
    expect([body.variables, body.metadata]).toEqual([{}, {}]);
    const { metadata } = await settled(who.server, body.call_id, isOver);
    expect(metadata).toEqual({ answered_by: "human", carrier_reason: "normal_clearing" });
  });

  it("stays on a call that the carrier refused", async () => {
    const who = await caller();
    expect((await originate(who, "+13035550104", { metadata: { order: 7 } })).status).toBe(500);
    const [call] = (await who.server.get<Calls>("/api/v1/calls")).body.calls;
    expect(call).toMatchObject({ end_reason: "rejected", metadata: { order: 7 } });
  });

  it("never changes the service's conclusions, whose notes take precedence", async () => {
    const who = await caller();
    await slowly(who);
    const own = { answered_by: "machine", hangup_requested: true, carrier_reason: "theirs", order: 7 };
    const { call_id, metadata } = (await originate(who, TO, { metadata: own })).body;
    expect(metadata).toEqual(own);
    await report(who, call_id, { status: "in-progress", answered_by: "human" });
    await report(who, call_id, { status: "completed", reason: "normal_clearing" });
    const over = await settled(who.server, call_id, isOver);
    expect(over).toMatchObject({ status: "completed", end_reason: "answered" });
    expect(over.metadata).toEqual({ ...own, answered_by: "human", carrier_reason: "normal_clearing" });
  });

  it("keeps every key without a note of the service, and every note", () => {
    const object = fc.dictionary(
      fc.constantFrom("answered_by", "carrier_reason", "a", "__proto__", "toString"),
      fc.string(),
    );
    fc.assert(
      fc.property(object, object, (own_metadata, metadata) => {
        const shown = shownMetadata({ own_metadata, metadata, hangup_requested: false, transferred_to: null });
        expect(new Set(Object.keys(shown))).toEqual(new Set([...Object.keys(own_metadata), ...Object.keys(metadata)]));
        for (const key of Object.keys(shown)) {
          const from = Object.hasOwn(metadata, key) ? metadata : own_metadata;
          expect(Object.getOwnPropertyDescriptor(shown, key)?.value).toBe(
            Object.getOwnPropertyDescriptor(from, key)?.value,
          );
        }
      }),
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a list of variables", { variables: [] }, "variables: must be an object, not a list"],
    ["no variables", { variables: null }, "variables: must be an object, not null"],
    ["a variable that is not a string", { variables: { a: "x", b: 1 } }, "variables.b: must be text, not a number"],
    ["65 variables", { variables: numbered(65) }, "variables: must not have more than 64 names"],
    [
      "over 16 KB of variables",
      { variables: { a: "x".repeat(16 * 1024 - 7) } },
      "variables: must not be larger than 16 KB as JSON",
    ],
    [
      "over 16 KB in UTF-8",
      { variables: { a: "é".repeat(9_000) } },
      "variables: must not be larger than 16 KB as JSON",
    ],
    ["metadata that is a text", { metadata: "x" }, "metadata: must be an object, not text"],
    ["a list of metadata", { metadata: [1] }, "metadata: must be an object, not a list"],
    [
      "a key that reaches for a prototype",
      { variables: JSON.parse('{"__proto__": "x"}') },
      "the key __proto__ is not allowed",
    ],
    [
      "over 8 KB of metadata",
      { metadata: { a: "x".repeat(8 * 1024 - 7) } },
      "metadata: must not be larger than 8 KB as JSON",
    ],
  ])("the client's data on a call is refused with 400 for %s, and no call is placed", async (_, more, message) => {
    const who = await caller();
    const answer = await originate(who, TO, more);
    expect([answer.status, answer.body]).toEqual([400, message]);
    expect([(await who.server.get<Calls>("/api/v1/calls")).body.total, await running(who.server)]).toEqual([0, 0]);
  });

  it("may have the maximum size", async () => {
    const who = await caller();
    const more = [
      { variables: numbered(64) },
      { variables: { a: "x".repeat(16 * 1024 - 8) }, metadata: { a: "x".repeat(8 * 1024 - 8) } },
    ];
    for (const one of more) expect(await originate(who, TO, one)).toMatchObject({ status: 200, body: one });
  });
});

describe("the calls of a campaign", () => {
  it("carry the columns of their contacts, unless those are over 16 KB", async () => {
    const who = await caller();
    const csv = `phone_number,__proto__,First Name\n+13035550110,a,"Ann\nB"\n+13035550111,,${"x".repeat(16 * 1024)}\n`;
    const path = await started(who, csv);
    const list = async () =>
      (await who.server.get<Calls>(`/api/v1/calls?campaign_id=${path.split("/").at(-1)}`)).body.calls;
    const calls = await until(list, (all) => all.length === 2 && all.every(isOver));
    const variablesOf = (to: string) => calls.find(({ to_number }) => to_number === to)?.variables;
    expect(Object.entries(variablesOf("+13035550110") ?? {})).toEqual([
      ["__proto__", "a"],
      ["First Name", "Ann\nB"],
    ]);
    expect(variablesOf("+13035550111")).toEqual({});
  });
});

describe("the list of calls", () => {
  it("the list of calls filters by a time in any offset", async () => {
    const who = await caller();
    const placed: Call[] = [];
    for (const to of [TO, TO, TO]) {
      const { body } = await originate(who, to);
      placed.push(body);
      await settled(who.server, body.call_id, isOver);
    }
    const [first = "", second = "", third = ""] = placed.map(({ created_at }) => created_at);
    const idsOf = async (query: Record<string, string>) =>
      (await who.server.get<Calls>(`/api/v1/calls?${new URLSearchParams(query)}`)).body.calls.map(
        ({ created_at }) => created_at,
      );
    expect(await idsOf({ since: second })).toEqual([third, second]);
    expect(await idsOf({ until: third })).toEqual([second, first]);
    expect(await idsOf({ since: second.replace("Z", "+00:00"), until: third, agent_id: who.agent_id })).toEqual([
      second,
    ]);
    for (const wrong of ["since=yesterday", "until=2026-01-01"])
      expect((await who.server.get(`/api/v1/calls?${wrong}`)).status).toBe(400);
  });
});

function numbered(n: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: n }, (_, i) => [`v${i}`, "x"]));
}
