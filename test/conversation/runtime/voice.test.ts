import { describe, expect, it } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { ModelFailed } from "../../../src/conversation/runtime/models/model.ts";
import { NOT_RUN } from "../../../src/conversation/runtime/turns/turn-loop.ts";
import { speechTime } from "../../../src/kernel/speech-time.ts";
import { call, say, spokenCall } from "./voice-support.ts";

const SENTENCES = builtInSentences("en");
/** Returns words that take this many seconds to say. */
const words = (seconds: number) => "We say this. ".repeat(Math.ceil((seconds * 15) / 13)).slice(0, seconds * 15);

describe("the end of a call", () => {
  it.each([
    ["16 s of words", words(16), 16],
    ["a goodbye of 34 s", words(34), 34],
    ["a Chinese goodbye", "感谢您的来电，我们已经为您安排好了预约时间，祝您生活愉快，再见。", 7],
    ["a phone number", "Call 202 555 0143 or 202 555 0199.", 7],
  ])("the end of a call waits until the last words have been spoken: %s", async (_, goodbye, seconds) => {
    const talk = spokenCall([[say(goodbye), call("end_call")]]);
    talk.hears("Goodbye");
    await talk.clock.advance(60_000);
    expect(talk.at("ends: agent_ended")).toBeCloseTo(speechTime(goodbye) / 1000, 1);
    expect(talk.at("ends: agent_ended")).toBeGreaterThanOrEqual(seconds - 0.1);
    expect(talk.turns()).toEqual([goodbye]);
  });

  it("waits for several turns that were queued", async () => {
    const talk = spokenCall([
      [say(words(8)), call("set_disposition", { value: "done" })],
      [say(words(8)), call("end_call")],
    ]);
    talk.hears("Goodbye");
    await talk.clock.advance(60_000);
    expect(talk.at("disposition done")).toBe(0);
    expect(talk.at("ends: agent_ended")).toBeCloseTo(16, 1);
  });

  it("opts the caller out although they interrupt the goodbye", async () => {
    const talk = spokenCall([[say(words(5)), call("end_call"), call("opt_out")]]);
    talk.hears("Stop calling");
    await talk.clock.advance(1_000);
    await talk.voice.interruptedBy("We say");
    await talk.clock.advance(20_000);
    expect([talk.at("opts out"), talk.at("ends")]).toEqual([0, undefined]);
    expect(talk.results()).toMatchObject({ end_call: NOT_RUN.interrupted });
  });

  it("the end of a call is postponed if the caller speaks during the goodbye", async () => {
    const talk = spokenCall([[say(words(10)), call("end_call")], [say("Of course.")]]);
    talk.hears("Goodbye");
    await talk.clock.advance(3_000);
    await talk.voice.interruptedBy("We say this.");
    talk.hears("Wait, one more thing");
    await talk.clock.advance(20_000);
    expect([talk.at("ends"), talk.at("says Of course.")]).toEqual([undefined, 3]);
  });
});

describe("a transfer", () => {
  it("reaches the carrier when its announcement has been spoken", async () => {
    const talk = spokenCall([[say(words(6)), call("transfer_call", { label: "Office" })]]);
    talk.hears("Let me talk to a person");
    await talk.clock.advance(30_000);
    expect(talk.at("transfers to Office")).toBeCloseTo(6, 1);
    expect(talk.at("ends: transferred")).toBeCloseTo(6, 1);
  });

  it("records why another tool of the same answer did not run", async () => {
    const talk = spokenCall([[say(words(1)), call("end_call"), call("transfer_call", { label: "Office" })]]);
    talk.hears("Let me talk to a person");
    await talk.clock.advance(10_000);
    expect(talk.results()).toEqual({ transfer_call: "transferred", end_call: NOT_RUN.transferred });
  });

  it("does not happen if the caller objects meanwhile", async () => {
    const talk = spokenCall([[say(words(6)), call("transfer_call", { label: "Office" })]]);
    talk.hears("Let me talk to a person");
    await talk.clock.advance(2_000);
    await talk.voice.interruptedBy("We say");
    await talk.clock.advance(30_000);
    expect(talk.at("transfers")).toBeUndefined();
  });
});

describe("an interruption", () => {
  const FEE = "Cancelling costs a fee of fifty dollars, and it is due today.";
  const LATER = "Shall I cancel it for you now?";

  it("an interruption in a turn records nothing of the turns after it as heard", async () => {
    const talk = spokenCall([[say(FEE), call("set_disposition", { value: "fee" })], [say(LATER)]]);
    talk.hears("Cancel it");
    await talk.clock.advance(1_000);
    await talk.voice.interruptedBy("Cancelling costs");
    expect(talk.turns()).toEqual(["Cancelling costs| a fee of fifty dollars, and it is due today.", `|${LATER}`]);
  });

  it("an interruption that the client does not describe is judged by time", async () => {
    const talk = spokenCall([[say(FEE), call("set_disposition", { value: "fee" })], [say(LATER)]]);
    talk.hears("Cancel it");
    await talk.clock.advance(1_150);
    await talk.voice.interruptedBy(undefined);
    expect(talk.turns()).toEqual(["Cancelling costs| a fee of fifty dollars, and it is due today.", `|${LATER}`]);
  });

  it("an interruption in a later turn leaves the earlier one complete", async () => {
    const talk = spokenCall([[say(FEE), call("set_disposition", { value: "fee" })], [say(LATER)]]);
    talk.hears("Cancel it");
    await talk.clock.advance(5_000);
    await talk.voice.interruptedBy("Shall I");
    expect(talk.turns()).toEqual([FEE, "Shall I| cancel it for you now?"]);
  });
});

describe("a connection that breaks", () => {
  it("a broken connection resumes with the words that were not spoken", async () => {
    const talk = spokenCall([[say("Your order has three parts. "), say("The second part arrives on Friday.")]]);
    talk.hears("Where is it?");
    await talk.clock.advance(2_000);
    talk.voice.lost();
    expect(talk.turns()).toEqual(["Your order has three parts.| The second part arrives on Friday."]);
    await talk.clock.advance(3_000);
    await talk.voice.begin({ announced: false, greeted: false });
    const again = `${SENTENCES.resumed} The second part arrives on Friday.`;
    expect(talk.turns().at(-1)).toBe(again);
    await talk.clock.advance(1_000);
    talk.voice.lost();
    await talk.voice.begin({ announced: false, greeted: false });
    expect(talk.turns().at(-1)).toBe(again);
  });

  it("says nothing twice if everything had been spoken", async () => {
    const talk = spokenCall([[say("It is open.")]]);
    talk.hears("Are you open?");
    await talk.clock.advance(20_000);
    talk.voice.lost();
    await talk.voice.begin({ announced: false, greeted: false });
    expect(talk.turns()).toEqual(["It is open."]);
  });
});

describe("a model that fails on a call", () => {
  const overloaded = () => new ModelFailed("the server answered 529", null, true);
  const OFFICE = { label: "Office", number: "+12025550199" };
  const NIGHT = { label: "Night desk", number: "+12025550198", on_failure: true };

  it("a failing model is asked again after 0.5 s and 1 s behind a filler", async () => {
    const talk = spokenCall([[overloaded()], [overloaded()], [say("It is open.")]]);
    talk.hears("Are you open?");
    await talk.clock.advance(20_000);
    expect([talk.at(SENTENCES.filler), talk.at("says It is open."), talk.at("ends")]).toEqual([1.5, 1.5, undefined]);
    expect(talk.model.requests).toHaveLength(3);
  });

  it("does not end the call of a caller who is transferred to the agent's target", async () => {
    const talk = spokenCall([[overloaded()]], { transfer_targets: [OFFICE, NIGHT] });
    talk.hears("Are you open?");
    await talk.clock.advance(60_000);
    const announced = 7.5;
    expect([talk.at(SENTENCES.filler), talk.at(`says ${SENTENCES.unavailable}`)]).toEqual([1.5, announced]);
    const spokenAt = announced + speechTime(SENTENCES.unavailable) / 1000;
    expect(talk.at("transfers to Night desk")).toBeCloseTo(spokenAt, 1);
    expect(talk.at("ends: transferred")).toBeCloseTo(spokenAt, 1);
    expect(talk.turns()).not.toContain(SENTENCES.apology);
  });

  it("ends the call with a complete apology if the agent has no transfer target", async () => {
    const talk = spokenCall([[overloaded()]], { transfer_targets: [OFFICE] });
    talk.hears("Are you open?");
    await talk.clock.advance(60_000);
    expect([talk.at(`says ${SENTENCES.apology}`), talk.at("transfers")]).toEqual([7.5, undefined]);
    expect(talk.at("ends: model_failed")).toBeCloseTo(7.5 + speechTime(SENTENCES.apology) / 1000, 1);
  });

  it("a model that says nothing twice is asked again at the caller's next words", async () => {
    const talk = spokenCall([[], [], [say("It is open.")]]);
    for (let i = 0; i < 3; i++) {
      talk.hears("Are you open?");
      await talk.clock.advance(3_000);
    }
    expect([talk.at("says It is open."), talk.at("ends")]).toEqual([6, undefined]);
  });
});

describe("the last words", () => {
  it("the last words at the maximum duration are a sentence, whatever the caller says", async () => {
    const talk = spokenCall([[say(words(30))]]);
    talk.hears("Tell me everything");
    await talk.clock.advance(40_000);
    await talk.voice.leave("max_duration");
    expect([talk.turns().at(-1), talk.voice.isLeaving]).toEqual([SENTENCES.time_up, true]);
    await talk.clock.advance(20_000);
    expect(talk.at("ends: max_duration")).toBeCloseTo(40 + speechTime(SENTENCES.time_up) / 1000, 1);
  });

  it("the last words to a silent caller are taken back if the caller speaks", async () => {
    const talk = spokenCall([[say("Yes?")]]);
    await talk.voice.leave("silence");
    expect(talk.turns()).toEqual([SENTENCES.goodbye]);
    await talk.clock.advance(1_000);
    talk.hears("I am here");
    await talk.clock.advance(30_000);
    expect([talk.at("ends"), talk.at("says Yes?")]).toEqual([undefined, 1]);
  });
});

describe("a wait on a call", () => {
  const FILLER = `says ${SENTENCES.filler}`;

  it("a wait on a call is filled once after 1.5 s without words", async () => {
    const talk = spokenCall([[6_000, say("It is open.")]]);
    talk.hears("Are you open?");
    await talk.clock.advance(10_000);
    expect([talk.at(FILLER), talk.at("says It is open.")]).toEqual([1.5, 6]);
    expect(talk.lines.filter((line) => line.includes(SENTENCES.filler))).toHaveLength(1);
  });

  it("a wait on a call is not filled if the words come in time", async () => {
    const talk = spokenCall([[1_400, say("It is open.")]]);
    talk.hears("Are you open?");
    await talk.clock.advance(10_000);
    expect(talk.at(FILLER)).toBeUndefined();
  });

  it("a wait on a call is filled after the agent's own time", async () => {
    const talk = spokenCall([[6_000, say("It is open.")]], { filler_after_ms: 4_000 });
    talk.hears("Are you open?");
    await talk.clock.advance(10_000);
    expect(talk.at(FILLER)).toBe(4);
  });

  it("a wait on a call is not filled if the agent's filler is off", async () => {
    const talk = spokenCall([[6_000, say("It is open.")]], { filler_after_ms: 0 });
    talk.hears("Are you open?");
    await talk.clock.advance(10_000);
    expect(talk.at(FILLER)).toBeUndefined();
  });

  it("a wait on a call is filled again once words were spoken", async () => {
    const talk = spokenCall([
      [2_000, say(words(4)), call("set_disposition", { value: "x" })],
      [9_000, say("It is open.")],
    ]);
    talk.hears("Are you open?");
    await talk.clock.advance(30_000);
    const filled = talk.lines.filter((line) => line.includes(SENTENCES.filler)).map(Number.parseFloat);
    const firstEnds = 1.5 + speechTime(SENTENCES.filler) / 1000 + speechTime(words(4)) / 1000;
    expect(filled[0]).toBe(1.5);
    expect(filled[1]).toBeCloseTo(firstEnds + 1.5, 0);
  });

  it("does not count as the latency of the answer", async () => {
    const talk = spokenCall([[6_000, say("It is open.")]]);
    talk.hears("Are you open?");
    await talk.clock.advance(10_000);
    expect(talk.store.events.filter(({ type }) => type === "latency")).toMatchObject([{ ms: 6_000 }]);
  });
});

describe("a caller whose partial words arrive", () => {
  it("keeps the agent from hanging up", async () => {
    const talk = spokenCall([[say(words(4)), call("end_call")]]);
    talk.hears("Goodbye");
    await talk.clock.advance(3_000);
    talk.voice.callerSpeaks();
    await talk.clock.advance(1_500);
    talk.voice.callerSpeaks();
    await talk.clock.advance(1_000);
    expect(talk.at("ends")).toBeUndefined();
    await talk.clock.advance(5_000);
    expect(talk.at("ends: agent_ended")).toBe(7.5);
  });

  it("a caller whose partial words arrive does not count as silent", async () => {
    const talk = spokenCall([[say("Yes?")]]);
    talk.hears("Hello");
    await talk.clock.advance(20_000);
    talk.voice.callerSpeaks();
    expect(talk.store.existing.quiet_since).toBe(23_000);
  });
});

describe("words that a voice stumbles over", () => {
  it("words that a voice stumbles over are left out on calls", async () => {
    const talk = spokenCall([
      [say("<think>Hours?"), say("</think>\n**We "), say("are** [open](https://a.example) 🎉.")],
    ]);
    talk.hears("Are you open?");
    await talk.clock.advance(20_000);
    expect(talk.turns()).toEqual(["We are open ."]);
  });

  it("unpronounceable words are left out after an interruption or within a filler", async () => {
    const talk = spokenCall([[say("- "), 5_000, say("We are [op"), 5_000, say("en](https://a.example).")]]);
    talk.hears("Are you open?");
    await talk.clock.advance(6_000);
    await talk.voice.interruptedBy("We are");
    await talk.clock.advance(20_000);
    expect(talk.turns()).toEqual([SENTENCES.filler, "We are| "]);
  });
});

describe("three tools that read", () => {
  it("run at the same time, behind one filler", async () => {
    const reads = ["a", "b", "c"].map((id) => ({
      type: "tool_call" as const,
      call: { id, name: "look_up", arguments: {} },
    }));
    const talk = spokenCall([reads, [say("It is open.")]], {}, { look_up: 3_000 });
    talk.hears("Are you open?");
    await talk.clock.advance(20_000);
    expect([talk.at(SENTENCES.filler), talk.at("says It is open.")]).toEqual([1.5, 3]);
  });
});
