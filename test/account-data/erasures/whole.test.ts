import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { idempotencyStore } from "../../../src/kernel/durable/objects.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { caller, getCall, isOver, originate, report, settled, slowly } from "../../phone/calls/support.ts";
import { idle, stored } from "../../phone/recordings/support.ts";
import { held, leftOf } from "../../records/conversations/support.ts";
import { tenant } from "../../support/client.ts";
import { visitorToken, widgetTenant } from "../../support/widget.ts";
import { planted } from "./planted.ts";
import { begun, completed, digitsOf, erased, newNumber, PATH, type Receipt, readable, standsIn } from "./support.ts";

describe("a number that occurs everywhere", () => {
  it("a completed erasure leaves a number in no store, even if it was in a live call", async () => {
    const who = await caller();
    const number = newNumber("10");
    await slowly(who, { SANDBOX_RING_MS: "1", SANDBOX_CONVERSATION: "on" });
    const live = await originate(who, number, { record: false, variables: { phone: number } });
    await settled(who.server, live.body.call_id, ({ conversation_id }) => conversation_id !== null);
    const { others } = await planted(who, number);
    const stored = () => standsIn(digitsOf(number), [live.body.call_id]);
    expect((await stored()).length).toBeGreaterThan(20);
    const id = await begun(who, { phone_number: number });
    const { counts } = await completed(who, id);
    expect(await stored()).toEqual([]);
    expect(counts).toMatchObject({
      calls: 3,
      conversations: 2,
      recordings: 2,
      tool_runs: 1,
      contacts: 1,
      import_rows: 1,
    });
    const call = await getCall(who.server, live.body.call_id);
    expect(call).toMatchObject({ to_number: "[PHONE]", variables: {}, conversation_id: null, end_reason: "hangup" });
    expect(call.ended_at).not.toBeNull();
    // In other people's calls, only the number is masked.
    expect(await getCall(who.server, others)).toMatchObject({
      to_number: "+13035550199",
      variables: { callback: "[PHONE]" },
    });
    const { body } = await who.server.get<Receipt>(`${PATH}/${id}`);
    expect(body.counts).toEqual(counts);
    // The opt-out is kept.
    expect((await originate(who, number)).code).toBe("do_not_call");
    expect(counts.opt_outs).toBe(1);
  });

  it("a completed erasure leaves a number in no list or export", async () => {
    const who = await tenant();
    const number = newNumber();
    const { campaign } = await planted(who, number);
    const reads = () => readable(who, campaign, digitsOf(number));
    expect(await reads()).toEqual(
      expect.arrayContaining([
        "/api/v1/calls as application/json",
        "/api/v1/calls/export as text/csv",
        "/api/v1/conversations/export as text/csv",
        "/api/v1/events as application/json",
        "/api/v1/do-not-call as application/json",
        `/api/v1/campaigns/${campaign}/export as text/csv`,
        `/api/v1/campaigns/${campaign}/rejects as text/csv`,
      ]),
    );
    await erased(who, { phone_number: number });
    expect(await reads()).toEqual([]);
  });

  it("an erasure keeps a number in other accounts", async () => {
    const [who, other] = [await tenant(), await tenant()];
    const number = newNumber();
    for (const one of [who, other]) await planted(one, number);
    await completed(who, await begun(who, { phone_number: number }));
    const ledger = (account: string) =>
      new Ledger({ env, store: accountStore(env, account, { actor: "test", request_id: "" }) });
    const found = async ({ account }: typeof who) =>
      Promise.all((await ledger(account).volumes()).map((volume) => volume.findPerson({ phone_number: number }, 10)));
    expect(await found(who)).toEqual([{ conversations: [], calls: [], recordings: [] }]);
    expect((await found(other))[0]?.calls).toHaveLength(2);
    expect((await standsIn(digitsOf(number))).length).toBeGreaterThan(10);
  });
});

describe("a visitor", () => {
  it("a completed erasure leaves a visitor in no store but keeps other visitors", async () => {
    const who = await widgetTenant();
    const [visitor, other] = [`user-${crypto.randomUUID()}`, `user-${crypto.randomUUID()}`];
    const kept: string[] = [];
    for (const visitor_id of [visitor, other]) {
      await visitorToken(who, visitor_id);
      const of = {
        kind: "widget" as const,
        call_id: null,
        phone_number: null,
        visitor_id,
        visitor_type: "user" as const,
      };
      kept.push(await held(who, of));
      const answers = idempotencyStore(env, who.account, "00000003aa");
      const request = { id: `00000003${crypto.randomUUID()}`, fingerprint: "f", holder: "h" };
      await answers.begin(request);
      await answers.finish(request, { keep: { status: 201, headers: {}, body: JSON.stringify({ visitor_id }) } });
    }
    const { counts } = await erased(who, { visitor_id: visitor });
    expect(await standsIn(visitor)).toEqual([]);
    expect(counts).toMatchObject({ conversations: 1, audit_entries: 1, other_records: 1, calls: 0 });
    expect((await standsIn(other)).length).toBeGreaterThan(3);
    expect(await leftOf(who, kept[0] ?? "")).toEqual({ file: false, row: false });
    expect(await leftOf(who, kept[1] ?? "")).toEqual({ file: true, row: true });
  });
});

describe("a conversation", () => {
  it("a conversation is erased alone with its call, and the number is kept elsewhere", async () => {
    const who = await tenant();
    const number = newNumber();
    const { conversation, calls } = await planted(who, number);
    const { counts } = await erased(who, { conversation_id: conversation });
    expect(counts).toMatchObject({ conversations: 1, calls: 1, recordings: 1, tool_runs: 1 });
    expect((await getCall(who.server, calls[0] ?? "")).to_number).toBe("[PHONE]");
    expect((await getCall(who.server, calls[1] ?? "")).from_number).toBe(number);
    expect((await who.server.get(`/api/v1/conversations/${conversation}`)).status).toBe(404);
  });
});

describe("a recording that a carrier delivers after its call was erased", () => {
  it("a recording delivered after its call was erased is neither listed nor stored", async () => {
    const who = await caller();
    const number = newNumber();
    const { call_id } = (await originate(who, number, { record: false })).body;
    await settled(who.server, call_id, isOver);
    await erased(who, { phone_number: number });
    const recording = {
      id: "RE-late",
      url: "https://carrier.example/late",
      duration_ms: 500,
      content_type: "audio/wav",
    };
    const answer = await report(who, call_id, { status: "completed", recording });
    expect(answer.status).toBeLessThan(300);
    await idle(who);
    expect((await who.server.get<{ total: number }>(`/api/v1/recordings?call_id=${call_id}`)).body.total).toBe(0);
    expect(await stored(who)).toEqual([]);
  });
});
