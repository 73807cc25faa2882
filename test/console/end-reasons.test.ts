import { describe, expect, it } from "vitest";
import type { Revocation } from "../../src/account/meter/live-access.ts";
import { endInWords } from "../../src/browser/console/screens/conversations/end-in-words.ts";
import { TRANSFERRED } from "../../src/conversation/runtime/handover.ts";
import { CALL_ENDED, MACHINE } from "../../src/conversation/runtime/turns/quiet-watch.ts";
import { BUDGET } from "../../src/conversation/runtime/turns/turn-loop.ts";
import { afterQuiet } from "../../src/conversation/runtime/turns/waiting.ts";

const REVOKED: Record<Revocation, true> = {
  account_closed: true,
  key_disabled: true,
  signed_out: true,
  widget_disabled: true,
  guest_not_allowed: true,
  access_revoked: true,
  expired: true,
};

/** Returns the end reasons of conversations in which nothing more happens. */
function quietEnds(): string[] {
  const quiet = { started_at: 0, max_duration_s: 7_200, quiet_since: null, prompted: true, lost_at: null };
  const kinds = ["call", "widget", "test"] as const;
  const ends = kinds.flatMap((kind) => [
    afterQuiet({ ...quiet, kind, lost_at: 0 }, 7_000_000),
    afterQuiet({ ...quiet, kind, quiet_since: 0 }, 7_000_000),
    afterQuiet({ ...quiet, kind }, 8_000_000),
  ]);
  return ends.map((end) => (end.next === "end" ? end.reason : expect.fail(end.next)));
}

describe("the reason why a conversation ended", () => {
  it("every end reason of the service has a sentence", () => {
    const reported = ["agent_ended", "caller_hung_up", "hangup", "max_length", "model_failed"];
    for (const reason of [
      ...reported,
      ...quietEnds(),
      ...Object.keys(REVOKED),
      TRANSFERRED,
      CALL_ENDED,
      MACHINE,
      BUDGET,
    ])
      expect.soft(endInWords(reason), reason).toMatch(/^(?!Runtime:).*\.$/);
  });

  it("an end reason is the runtime's own word if the account's runtime ended the conversation", () => {
    expect(endInWords("caller_satisfied")).toBe("Runtime: Caller satisfied");
  });
});
