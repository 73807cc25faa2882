import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecorded, recordingOf } from "../../../src/phone/calls/recording-choice.ts";

const wish = fc.option(fc.boolean());
const settings = fc.record({ record_outbound: fc.boolean(), record_inbound: fc.boolean() });
const direction = fc.constantFrom("outbound" as const, "inbound" as const);

describe("the decision whether a call is recorded", () => {
  it("a call's own choice to record outweighs its campaign's, which outweighs the account's", () => {
    fc.assert(
      fc.property(direction, wish, wish, settings, (way, call, campaign, set) => {
        const recorded = isRecorded(way, { call, campaign }, set, { storage: "all" });
        const account = way === "outbound" ? set.record_outbound : set.record_inbound;
        if (call !== null) expect(recorded).toBe(call);
        else if (campaign !== null) expect(recorded).toBe(campaign);
        else expect(recorded).toBe(account);
      }),
    );
  });

  it("a call is never recorded if its agent does not store conversations unredacted", () => {
    const storage = fc.constantFrom("redacted" as const, "metadata" as const);
    fc.assert(
      fc.property(direction, wish, wish, settings, storage, (way, call, campaign, set, stored) => {
        expect(isRecorded(way, { call, campaign }, set, { storage: stored })).toBe(false);
      }),
    );
  });

  it("includes the announcement, which an unrecorded call does not have", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.option(fc.string({ minLength: 1 })), (recorded, recording_announcement) => {
        const expected = recorded ? { announcement: recording_announcement } : null;
        expect(recordingOf(recorded, { recording_announcement })).toEqual(expected);
      }),
    );
  });
});
