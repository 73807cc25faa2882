import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { Ledger } from "../../../src/records/ledger/ledger.ts";
import { caller, getCall, originate, settled, slowly } from "../../phone/calls/support.ts";
import { tenant } from "../../support/client.ts";
import { planted } from "./planted.ts";
import { begun, completed, digitsOf, newNumber, PATH, type Receipt, standsIn } from "./support.ts";

describe("a number that is everywhere", () => {
  it("is nowhere once its erasure is complete, though a call of it was live", async () => {
    const who = await caller();
    const number = newNumber("10");
    await slowly(who, { SANDBOX_RING_MS: "1", SANDBOX_CONVERSATION: "on" });
    const live = await originate(who, number, { variables: { phone: number } });
    await settled(who.server, live.body.call_id, ({ conversation_id }) => conversation_id !== null);
    const { others } = await planted(who, number);
    const standing = () => standsIn(digitsOf(number), [live.body.call_id]);
    expect((await standing()).length).toBeGreaterThan(20);
    const id = await begun(who, { phone_number: number });
    const { counts } = await completed(who, id);
    expect(await standing()).toEqual([]);
    expect(counts).toMatchObject({ calls: 3, conversations: 2, recordings: 2, tool_runs: 1 });
    const call = await getCall(who.server, live.body.call_id);
    expect(call).toMatchObject({ to_number: "[PHONE]", variables: {}, conversation_id: null, end_reason: "hangup" });
    expect(call.ended_at).not.toBeNull();
    // Others lose the number alone.
    expect(await getCall(who.server, others)).toMatchObject({
      to_number: "+13035550199",
      variables: { callback: "[PHONE]" },
    });
    const { body } = await who.server.get<Receipt>(`${PATH}/${id}`);
    expect(body.counts).toEqual(counts);
  });

  it("stays with others' accounts", async () => {
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
