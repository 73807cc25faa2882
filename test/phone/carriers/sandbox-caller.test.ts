import { describe, expect, it } from "vitest";
import { ANSWER_WITHIN_MS, GREETING_WITHIN_MS, type Progress } from "../../../src/phone/carriers/sandbox-caller.ts";
import {
  CallRefused,
  type Connection,
  type Listener,
  RETRY_MS,
  SandboxConversation,
} from "../../../src/phone/carriers/sandbox-conversation.ts";
import { type Person, personWhoSays } from "../../../src/phone/carriers/sandbox-people.ts";

const PAUSE_MS = 300;
const SETUP = { sessionId: "s", callSid: "c", customParameters: { session_token: "t" } };
type Frame = Record<string, unknown>;

/** A conversation with a runtime that the test plays, on a clock that the test moves. */
class Stage {
  now = 0;
  over = 0;
  connects = 0;
  closed = 0;
  sent: Frame[] = [];
  kept: Progress[] = [];
  /** The error of connecting; null for a connection. */
  failure: Error | null = null;
  listener: Listener | null = null;
  #timers = new Set<{ at: number; then: () => void }>();
  readonly conversation: SandboxConversation;

  constructor(person: Person, progress: Progress = { spoken: 0, answered: false }) {
    this.conversation = new SandboxConversation(
      {
        connect: async (listener): Promise<Connection> => {
          this.connects++;
          if (this.failure) throw this.failure;
          this.listener = listener;
          return { send: (text) => this.sent.push(JSON.parse(text)), close: () => this.closed++ };
        },
        over: () => this.over++,
        keep: (kept) => this.kept.push(kept),
        after: (ms, then) => {
          const timer = { at: this.now + ms, then };
          this.#timers.add(timer);
          return () => this.#timers.delete(timer);
        },
      },
      { person, setup: SETUP, pauseMs: PAUSE_MS, language: "en-US" },
      progress,
    );
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Advances time and runs everything due. */
  async advance(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.now = next.at;
      next.then();
      await settle();
    }
    this.now = until;
  }

  /** Makes the agent say this in pieces. */
  agent(...tokens: string[]): void {
    for (const [i, token] of tokens.entries()) this.frame({ type: "text", token, last: i === tokens.length - 1 });
  }

  frame(frame: Frame): void {
    this.listener?.received(JSON.stringify(frame));
  }

  /** Returns a summary of what was sent since the last call. */
  prompts(): unknown[] {
    return this.sent.splice(0).map((frame) => frame.voicePrompt ?? frame.type);
  }
}

const settle = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};
async function begun(person: Person, progress?: Progress): Promise<Stage> {
  const stage = new Stage(person, progress);
  await stage.conversation.start();
  return stage;
}

describe("a caller of the sandbox", () => {
  it("a sandbox caller introduces itself, says each line in turn and hangs up after the last answer", async () => {
    const stage = await begun(personWhoSays(["One", "Two"]));
    expect(stage.sent).toEqual([{ type: "setup", ...SETUP }]);
    stage.prompts();
    stage.agent("Hello", " there");
    expect(stage.prompts()).toEqual([]);
    await stage.advance(PAUSE_MS - 1);
    expect(stage.prompts()).toEqual([]);
    await stage.advance(1);
    expect(stage.sent).toEqual([{ type: "prompt", voicePrompt: "One", lang: "en-US", last: true }]);
    stage.prompts();
    stage.frame({ type: "text", token: "Still", last: false });
    await stage.advance(60_000);
    expect(stage.prompts()).toEqual([]);
    stage.frame({ type: "text", token: "", last: true });
    await stage.advance(PAUSE_MS);
    expect(stage.prompts()).toEqual(["Two"]);
    stage.agent("Goodbye");
    expect(stage.over).toBe(0);
    await stage.advance(PAUSE_MS);
    expect([stage.over, stage.closed, stage.timers]).toEqual([1, 1, 0]);
    expect(stage.kept.at(-1)).toEqual({ spoken: 2, answered: true });
  });

  it("a sandbox caller does not talk over an agent that is still speaking", async () => {
    const stage = await begun(personWhoSays(["One"]));
    stage.agent("Hello");
    await stage.advance(PAUSE_MS - 1);
    stage.frame({ type: "text", token: "And", last: false });
    await stage.advance(PAUSE_MS);
    expect(stage.prompts()).toEqual(["setup"]);
    stage.frame({ type: "text", token: " more", last: true });
    await stage.advance(PAUSE_MS);
    expect(stage.prompts()).toEqual(["One"]);
  });

  const impatient: Person = { name: "x", lines: [{ says: "One" }, { says: "Two", interruptsAfterWords: 2 }] };

  it("an interrupting sandbox caller reports what it heard before it speaks", async () => {
    const stage = await begun(impatient);
    stage.agent("Hello you all there");
    await stage.advance(PAUSE_MS);
    stage.prompts();
    stage.frame({ type: "text", token: "We are", last: false });
    expect(stage.sent).toEqual([]);
    stage.frame({ type: "text", token: " open", last: false });
    expect(stage.sent).toEqual([
      { type: "interrupt", utteranceUntilInterrupt: "We are", durationUntilInterruptMs: expect.any(Number) },
    ]);
    stage.prompts();
    stage.agent(" on", " Mondays");
    await stage.advance(PAUSE_MS);
    expect(stage.prompts()).toEqual(["Two"]);
    stage.agent("Sorry about that");
    await stage.advance(PAUSE_MS);
    expect([stage.prompts(), stage.over]).toEqual([[], 1]);
  });

  it("a sandbox caller interrupts only if enough words come and interruption is allowed", async () => {
    for (const [token, interruptible, expected] of [
      ["We are open today", undefined, ["interrupt", "Two"]],
      ["We are", undefined, ["Two"]],
      ["We are open today", false, ["Two"]],
    ] as const) {
      const stage = await begun(impatient, { spoken: 1, answered: false });
      stage.prompts();
      stage.frame({ type: "text", token, last: true, interruptible });
      await stage.advance(PAUSE_MS);
      expect(stage.prompts(), token).toEqual(expected);
    }
  });

  it("a slow sandbox caller takes its time", async () => {
    const stage = await begun({ name: "slow", lines: [{ says: "Hm.", pauses: 4 }] });
    stage.agent("Hello");
    await stage.advance(4 * PAUSE_MS - 1);
    expect(stage.prompts()).toEqual(["setup"]);
    await stage.advance(1);
    expect(stage.prompts()).toEqual(["Hm."]);
  });

  it("a sandbox caller without lines listens until the agent ends the call", async () => {
    const stage = await begun(personWhoSays([]));
    stage.agent("Hello");
    await stage.advance(30_000);
    stage.agent("Are you there?");
    await stage.advance(30_000);
    expect([stage.prompts(), stage.over]).toEqual([["setup"], 0]);
    stage.frame({ type: "end", handoffData: "{}" });
    expect([stage.over, stage.closed, stage.timers]).toEqual([1, 1, 0]);
  });

  it("a sandbox caller speaks first if there is no greeting", async () => {
    const stage = await begun(personWhoSays(["Anybody there?"]));
    await stage.advance(GREETING_WITHIN_MS);
    expect(stage.prompts()).toEqual(["setup", "Anybody there?"]);
  });

  it("a sandbox caller ignores invalid frames", async () => {
    const stage = await begun(personWhoSays(["One"]));
    for (const text of ["", "{", "null", "[]", '{"type":"text"}', '{"type":"play","source":"x"}'])
      stage.listener?.received(text);
    await stage.advance(PAUSE_MS);
    expect([stage.prompts(), stage.over]).toEqual([["setup"], 0]);
  });
});

describe("a conversation of the sandbox", () => {
  it("a sandbox conversation ends once, whichever side ends it", async () => {
    for (const end of [
      (stage: Stage) => stage.frame({ type: "end" }),
      (stage: Stage) => stage.listener?.closed(1000),
      (stage: Stage) => stage.listener?.closed(1005),
    ]) {
      const stage = await begun(personWhoSays(["One", "Two"]));
      stage.agent("Hello");
      end(stage);
      end(stage);
      stage.agent("Hello?");
      await stage.advance(60_000);
      expect([stage.over, stage.closed, stage.timers, stage.connects]).toEqual([1, 1, 0, 1]);
      expect(stage.prompts()).toEqual(["setup"]);
    }
  });

  it("a broken sandbox conversation reconnects and repeats what was not answered", async () => {
    const stage = await begun(personWhoSays(["One", "Two"]));
    stage.agent("Hello");
    await stage.advance(PAUSE_MS);
    stage.prompts();
    const before = stage.listener;
    before?.closed(1006);
    await stage.advance(250);
    expect(stage.prompts()).toEqual(["setup"]);
    before?.received(JSON.stringify({ type: "end" }));
    await stage.advance(ANSWER_WITHIN_MS - 1);
    expect([stage.prompts(), stage.over]).toEqual([[], 0]);
    await stage.advance(1);
    expect(stage.prompts()).toEqual(["One"]);
  });

  it("a sandbox conversation repeats nothing that the runtime answers by itself", async () => {
    const stage = await begun(personWhoSays(["One", "Two"]), { spoken: 1, answered: false });
    await stage.advance(ANSWER_WITHIN_MS - 1);
    stage.frame({ type: "text", token: "As to", last: false });
    await stage.advance(ANSWER_WITHIN_MS);
    expect(stage.prompts()).toEqual(["setup"]);
    stage.frame({ type: "text", token: " One", last: true });
    await stage.advance(PAUSE_MS);
    expect(stage.prompts()).toEqual(["Two"]);
  });

  it("a sandbox conversation continues with the next line after a restart if the last was answered", async () => {
    const stage = await begun(personWhoSays(["One", "Two"]), { spoken: 1, answered: true });
    await stage.advance(PAUSE_MS);
    expect(stage.prompts()).toEqual(["setup", "Two"]);
    const last = await begun(personWhoSays(["One"]), { spoken: 1, answered: true });
    await last.advance(PAUSE_MS);
    expect([last.prompts(), last.over]).toEqual([["setup"], 1]);
  });

  it("a sandbox conversation stores a line as spoken before it is sent", async () => {
    const stage = await begun(personWhoSays(["One"]));
    stage.agent("Hello");
    expect(stage.kept).toEqual([{ spoken: 0, answered: true }]);
    await stage.advance(PAUSE_MS);
    expect(stage.kept).toEqual([
      { spoken: 0, answered: true },
      { spoken: 1, answered: false },
    ]);
  });

  it("a sandbox caller who hears nothing gives up after some tries", async () => {
    const stage = new Stage(personWhoSays(["One"]));
    stage.failure = new Error("nobody there");
    await stage.conversation.start();
    const longest = RETRY_MS.reduce((sum, ms) => sum + ms);
    expect(longest).toBeLessThanOrEqual(15_000);
    await stage.advance(longest - 1);
    expect([stage.over, stage.connects]).toEqual([0, RETRY_MS.length]);
    await stage.advance(1);
    expect([stage.over, stage.connects, stage.timers]).toEqual([1, RETRY_MS.length + 1, 0]);
  });

  it("a sandbox caller gives up if every connection breaks off before any words", async () => {
    const stage = await begun(personWhoSays(["One"]));
    for (const ms of RETRY_MS) {
      stage.listener?.closed(1011);
      await stage.advance(ms);
    }
    expect(stage.over).toBe(0);
    stage.listener?.closed(1011);
    expect([stage.over, stage.connects]).toEqual([1, RETRY_MS.length + 1]);
  });

  it("a sandbox conversation ends at once if the runtime refuses it", async () => {
    const stage = new Stage(personWhoSays(["One"]));
    stage.failure = new CallRefused("403");
    await stage.conversation.start();
    expect([stage.over, stage.connects, stage.timers]).toEqual([1, 1, 0]);
  });

  it("a sandbox conversation stopped while it connects closes the late connection", async () => {
    const stage = new Stage(personWhoSays(["One"]));
    const started = stage.conversation.start();
    stage.conversation.stop();
    await started;
    expect([stage.closed, stage.prompts(), stage.over, stage.timers]).toEqual([1, [], 0, 0]);
  });

  it("a transferred sandbox conversation stays silent without resuming", async () => {
    const stage = await begun(personWhoSays(["One"]));
    stage.agent("I put you through");
    stage.conversation.leave();
    stage.listener?.closed(1006);
    await stage.advance(60_000);
    expect([stage.prompts(), stage.over, stage.connects, stage.closed]).toEqual([["setup"], 0, 1, 0]);
    stage.conversation.stop();
    expect(stage.closed).toBe(1);
  });
});
