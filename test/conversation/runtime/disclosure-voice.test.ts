import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { disclosedIn } from "../../../src/conversation/runtime/disclosed.ts";
import { speechTime } from "../../../src/kernel/speech-time.ts";
import { say, spokenCall } from "./voice-support.ts";

const SENTENCE = "You are talking to an AI assistant of Acme.";
const SENTENCE_MS = Math.ceil(speechTime(SENTENCE));

/** A step of a call after it was connected. */
type Step = { waits: number } | { interrupts: string | undefined } | "says" | "loses its socket";
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ waits: fc.constantFrom(1, 400, SENTENCE_MS - 1, SENTENCE_MS, 9_000) }),
    fc.record({ interrupts: fc.constantFrom(undefined, "", "You", "Hello", SENTENCE) }),
    fc.constant("says"),
    fc.constant("loses its socket"),
  ),
  { maxLength: 8 },
);
const greetings = fc.constantFrom("", "Hello, this is Acme.", SENTENCE);
const modes = fc.constantFrom("interruptible" as const, "locked" as const);
/** The texts that the carrier spoke before the first connection, by the connection's token. */
const bySession = fc.record({ disclosed: fc.boolean(), announced: fc.boolean(), greeted: fc.boolean() });

describe("the disclosure on a call", () => {
  it("the disclosure comes first on a call and counts as said only once it was heard completely", async () => {
    await fc.assert(
      fc.asyncProperty(greetings, modes, bySession, steps, async (greeting_message, greeting_mode, first, happens) => {
        const talk = spokenCall([[say("Yes.")]], { greeting_message, greeting_mode });
        const { clock, store, voice } = talk;
        Object.assign(store.session, { announcement: "This call is recorded." });
        store.session.snapshot.disclosure = { text: SENTENCE, language: "en", spoken: first.disclosed };
        /** When the disclosure being spoken will have been heard; null if it was heard, or is not being spoken. */
        let until: number | null = null;
        let wasHeard = first.disclosed;
        const connects = async (spoken: typeof first) => {
          const before = talk.lines.length;
          await voice.begin(spoken);
          await clock.advance(0);
          const [said] = talk.lines.slice(before);
          if (wasHeard) return;
          expect(said).toContain(`says ${SENTENCE}`);
          until = clock.now + SENTENCE_MS;
        };
        await connects(first);
        for (const step of happens) {
          if (step === "says") talk.hears("Who is this?");
          else if (step === "loses its socket") {
            voice.lost();
            voice.stop();
            until = null;
            await connects({ disclosed: false, announced: false, greeted: false });
          } else if ("waits" in step) await clock.advance(step.waits);
          else await voice.interruptedBy(step.interrupts);
          if (until !== null && clock.now >= until) wasHeard = true;
        }
        // The caller hangs up.
        voice.lost();
        store.update({ ended_at: clock.now });
        const turns = store.events.filter(({ type }) => type === "agent_turn");
        expect(turns[0]).toMatchObject({ text: SENTENCE });
        const { snapshot } = store.session;
        const { disclosed } = disclosedIn(Object.assign({ snapshot, events: store.events }, store.existing));
        expect(disclosed).toBe(wasHeard ? "spoken" : "missing");
        expect(talk.errors).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
