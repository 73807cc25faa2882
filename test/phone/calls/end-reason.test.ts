import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CALL_STATUSES, isTerminal } from "../../../src/records/ledger/call-status.ts";
import { END_REASONS, endNotes, endReason } from "../../../src/records/ledger/end-reason.ts";
import { started, until } from "../../campaign/support.ts";
import { onLedger } from "../../support/ledger.ts";
import { type Call, type Calls, caller, getCall, isOver, originate, report, settled, slowly } from "./support.ts";

/** Words of carriers and of earlier versions. */
const WORDS = [
  "normal_clearing",
  "NORMAL_CLEARING",
  "completed",
  "user_busy",
  "USER_BUSY",
  "timeout",
  "no_answer",
  "no-answer",
  "originator_cancel",
  "call_rejected",
  "rejected",
  "network_error",
  "funds",
  "outage",
  "campaign_deleted",
  "x",
  "",
  "constructor",
  "__proto__",
  ...END_REASONS,
];
const FINAL = CALL_STATUSES.filter(isTerminal);

const anyEnd = fc.record({
  status: fc.constantFrom(...CALL_STATUSES),
  reason: fc.option(fc.oneof(fc.constantFrom(...WORDS), fc.string())),
  answered_by: fc.constantFrom(null, "human", "machine"),
  own: fc.option(fc.constantFrom(...END_REASONS)),
});

describe("the decision on an end reason", () => {
  it.each([
    ["completed", "normal_clearing", null, null, "answered"],
    ["completed", "NORMAL_CLEARING", "human", null, "answered"],
    ["completed", "completed", "machine", null, "machine"],
    ["completed", "completed", null, "hangup", "hangup"],
    ["completed", "hangup", null, null, "hangup"],
    ["completed", "no_final_event", null, "answered", "no_final_event"],
    ["completed", "Unknown", null, null, "answered"],
    ["busy", "user_busy", null, "hangup", "busy"],
    ["no-answer", "timeout", null, null, "no_answer"],
    ["no-answer", "no_final_event", null, "no_answer", "no_final_event"],
    ["failed", "network_error", null, null, "failed"],
    ["failed", "funds", null, null, "failed"],
    ["failed", "rejected", null, null, "rejected"],
    ["failed", "call_rejected", null, "failed", "rejected"],
    ["failed", "unknown", null, "unknown", "unknown"],
    ["failed", "do_not_call", null, "do_not_call", "do_not_call"],
    ["canceled", "originator_cancel", null, null, "canceled"],
    ["canceled", "originator_cancel", null, "hangup", "hangup"],
    ["canceled", "campaign_deleted", null, "canceled", "canceled"],
    // For its campaign, a machine's call has ended while it is still being hung up.
    ["in-progress", "", null, "machine", "machine"],
  ] as const)(
    "a call with status %s and word %s, answered by %s, with the service's reason %s, has the end reason %s",
    (status, reason, answered_by, own, expected) => {
      expect(endReason({ status, reason, answered_by, own })).toBe(expected);
    },
  );

  it("every possible end has an end reason", () => {
    fc.assert(
      fc.property(anyEnd, (end) => {
        const word = endReason(end);
        expect(END_REASONS).toContain(word);
        expect(endReason({ ...end, reason: word })).toBe(word);
      }),
    );
  });

  it("a call stores the carrier's word only if it is more specific than the end reason", () => {
    expect(endNotes({ status: "failed", reason: "funds", answered_by: null })).toEqual({ carrier_reason: "funds" });
    expect(endNotes({ status: "no-answer", reason: "No-Answer", answered_by: null })).toEqual({});
    expect(endNotes({ status: "completed", reason: "completed", answered_by: "human" })).toEqual({
      answered_by: "human",
    });
    fc.assert(
      fc.property(anyEnd, (end) => {
        expect(endNotes({ ...end, reason: endReason(end) })).not.toHaveProperty("carrier_reason");
      }),
    );
  });
});

describe("an end reason in the API", () => {
  it("a single call and a campaign's call end with the same end reason", async () => {
    const who = await caller();
    const suffixes = ["01", "02", "03", "04", "05", "07", "10"];
    for (const suffix of suffixes) await originate(who, `+130355501${suffix}`);
    const rows = suffixes.map((suffix) => `+130355502${suffix}`);
    await started(who, `phone_number\n${rows.join("\n")}\n`);
    const list = async () => (await who.server.get<Calls>("/api/v1/calls?limit=100")).body.calls;
    const calls = await until(list, (all) => all.length === 2 * suffixes.length && all.every(isOver));
    const ends = (campaign: boolean) =>
      Object.fromEntries(
        calls
          .filter(({ campaign_id }) => (campaign_id !== null) === campaign)
          .map(({ to_number, end_reason }) => [to_number.slice(-2), end_reason])
          .sort(),
      );
    expect(ends(false)).toEqual({
      "01": "busy",
      "02": "no_answer",
      "03": "failed",
      "04": "rejected",
      "05": "machine",
      "07": "answered",
      "10": "answered",
    });
    expect(ends(true)).toEqual(ends(false));
    const carrierWords = calls.filter(({ to_number }) => to_number.endsWith("03")).map(({ metadata }) => metadata);
    expect(carrierWords).toMatchObject([{ carrier_reason: "network_error" }, { carrier_reason: "network_error" }]);
  });

  it("a call that was asked to hang up ends as a hang-up, whatever reason the carrier reports", async () => {
    const who = await caller();
    await slowly(who);
    const { call_id } = (await originate(who, "+13035550106")).body;
    await report(who, call_id, { status: "in-progress" });
    expect(await getCall(who.server, call_id)).toMatchObject({ end_reason: null });
    await who.server.post(`/api/v1/calls/${call_id}/hangup`);
    await report(who, call_id, { status: "completed", reason: "normal_clearing" });
    expect(await settled(who.server, call_id, isOver)).toMatchObject({
      end_reason: "hangup",
      metadata: { hangup_requested: true },
    });
  });

  it("a row of an earlier version shows an end reason of the current vocabulary", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550101")).body;
    await settled(who.server, call_id, isOver);
    for (const status of FINAL) {
      for (const word of [...WORDS, null]) {
        await onLedger(who.account, "UPDATE calls SET status = ?, end_reason = ? WHERE id = ?", status, word, call_id);
        const { status: answered, body } = await who.server.get<Call>(`/api/v1/calls/${call_id}`);
        expect([answered, END_REASONS.includes(body.end_reason as never)], `${status} ${word}`).toEqual([200, true]);
      }
    }
  });
});
