import { describe, expect, it } from "vitest";
import type { SweepCursor } from "../../../src/records/ledger/erasure.ts";
import { newId } from "../../support/ids.ts";
import {
  AT,
  conversation,
  counts,
  ENDED,
  lineReport,
  newVolume,
  recording,
  rowsOf,
  toolRun,
  type Volume,
} from "./support.ts";

const NUMBER = "+13035550110";
const OTHER = "+13035550199";
const id = () => newId(Date.parse(AT));
const callOf = async (volume: Volume, call: string) =>
  (await rowsOf(volume, "SELECT * FROM calls WHERE id = ?", call))[0];

/** Sweeps a volume to its end, some rows at a time. Returns how many were masked. */
async function sweep(volume: Volume, limit = 2): Promise<number> {
  let [masked, cursor]: [number, SweepCursor | null] = [0, null];
  do {
    const step = await volume.sweepNumber(NUMBER, cursor, limit);
    masked += step.masked;
    cursor = step.next;
  } while (cursor !== null);
  return masked;
}

/** Returns every value in every table of the volume. */
async function everything(volume: Volume): Promise<string> {
  const tables = await rowsOf<{ name: string }>(volume, "SELECT name FROM sqlite_master WHERE type = 'table'");
  const own = tables.filter(({ name }) => !/^(sqlite_|_cf_)/.test(name));
  return JSON.stringify(await Promise.all(own.map(({ name }) => rowsOf(volume, `SELECT * FROM ${name}`))));
}

describe("a person in a volume of the ledger", () => {
  it("a person is found by the number, without finding anyone else", async () => {
    const volume = newVolume();
    const [out, inbound, others, talk] = [id(), id(), id(), id()];
    await volume.report([
      lineReport(out, 1, ENDED),
      lineReport(inbound, 1, { direction: "inbound", from_number: NUMBER, to_number: "+12025550100" }),
      lineReport(others, 1, { to_number: OTHER }),
      { part: "conversation", row: conversation(talk, { kind: "call", call_id: out, phone_number: NUMBER }) },
      { part: "recording", row: recording(id(), out) },
      { part: "recording", row: recording(id(), others) },
    ]);
    const found = await volume.findPerson({ phone_number: NUMBER }, 10);
    expect(found.calls.toSorted()).toEqual([out, inbound].toSorted());
    expect(found.conversations).toMatchObject([{ id: talk, call_id: out }]);
    expect(found.recordings).toHaveLength(1);
  });

  it("a person is found by the visitor's id or by the conversation, with its call", async () => {
    const volume = newVolume();
    const [call, onCall, chat, other] = [id(), id(), id(), id()];
    await volume.report([
      lineReport(call, 1, ENDED),
      { part: "conversation", row: conversation(onCall, { kind: "call", call_id: call, phone_number: NUMBER }) },
      { part: "conversation", row: conversation(chat, { visitor_id: "v-1" }) },
      { part: "conversation", row: conversation(other, { visitor_id: "v-2" }) },
    ]);
    expect(await volume.findPerson({ visitor_id: "v-1" }, 10)).toMatchObject({
      conversations: [{ id: chat }],
      calls: [],
    });
    const found = await volume.findPerson({ conversation_id: onCall }, 10);
    expect(found).toMatchObject({ conversations: [{ id: onCall }], calls: [call] });
  });

  it("an erased person is masked in calls, variables and the outbox without changing the counters", async () => {
    const volume = newVolume();
    const [mine, others] = [id(), id()];
    await volume.report([
      lineReport(mine, 1, Object.assign({ variables: { name: "Ada" }, own_metadata: { crm: "7" } }, ENDED)),
      lineReport(
        others,
        1,
        Object.assign({}, ENDED, { to_number: OTHER, variables: { referred_by: "(303) 555-0110" } }),
      ),
      {
        part: "conversation",
        row: conversation(id(), {
          end_reason: `asked for ${NUMBER}`,
          variables: { referred_by: NUMBER, city: "Rome" },
        }),
      },
      { part: "tool_run", row: toolRun(id(), { ok: false, error: "no customer 303-555-0110" }) },
    ]);
    const before = await counts(volume);
    expect(await volume.maskCalls([mine], NUMBER)).toBe(1);
    expect(await callOf(volume, mine)).toMatchObject({
      from_number: "+12025550100",
      to_number: "[PHONE]",
      variables: "{}",
      own_metadata: "{}",
    });
    await sweep(volume);
    expect(await callOf(volume, others)).toMatchObject({ to_number: OTHER, variables: '{"referred_by":"[PHONE]"}' });
    expect(await everything(volume)).not.toMatch(/303\D{0,3}555\D?0110|Ada/);
    expect(await everything(volume)).toContain("Rome");
    expect(await counts(volume)).toEqual(before);
  });

  it("a person is masked on a conversation's call by its direction if the number is unknown", async () => {
    const volume = newVolume();
    const [out, inbound] = [id(), id()];
    await volume.report([
      lineReport(out, 1, ENDED),
      lineReport(inbound, 1, { direction: "inbound", from_number: NUMBER, to_number: "+12025550100" }),
    ]);
    expect(await volume.maskCalls([out, inbound], null)).toBe(2);
    expect(await callOf(volume, out)).toMatchObject({ from_number: "+12025550100", to_number: "[PHONE]" });
    expect(await callOf(volume, inbound)).toMatchObject({ from_number: "[PHONE]", to_number: "+12025550100" });
  });

  it("repeating an erasure finds and masks nothing again", async () => {
    const volume = newVolume();
    const [call, talk, run] = [id(), id(), id()];
    await volume.report([
      lineReport(call, 1, ENDED),
      { part: "conversation", row: conversation(talk, { kind: "call", call_id: call, phone_number: NUMBER }) },
      { part: "tool_run", row: toolRun(run, { conversation_id: talk, tool_call_id: "t" }) },
      { part: "recording", row: recording(id(), call) },
    ]);
    const steps = async () => {
      const { conversations, calls, recordings } = await volume.findPerson({ phone_number: NUMBER }, 10);
      const ids = conversations.map((one) => one.id);
      const runs = await volume.deleteConversationRuns(ids);
      const masked = await volume.maskCalls(calls, NUMBER);
      await volume.removeRecordings(recordings);
      await volume.removeConversations(ids);
      return [ids.length, calls.length, recordings.length, runs, masked];
    };
    expect(await steps()).toEqual([1, 1, 1, 1, 1]);
    await sweep(volume);
    expect(await steps()).toEqual([0, 0, 0, 0, 0]);
    expect(await sweep(volume)).toBe(0);
  });

  it("an erasure finds nothing in an empty volume, which stays empty", async () => {
    const volume = newVolume();
    const nothing = { conversations: [], calls: [], recordings: [] };
    expect(await volume.findPerson({ phone_number: NUMBER }, 10)).toEqual(nothing);
    expect([await sweep(volume), await volume.maskCalls([id()], NUMBER)]).toEqual([0, 0]);
    expect(await rowsOf(volume, "SELECT name FROM sqlite_master WHERE name = 'calls'")).toEqual([]);
  });
});
