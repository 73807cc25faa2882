import type { Charge } from "../../../src/conversation/runtime/budget/charge.ts";
import type { TurnBudget } from "../../../src/conversation/runtime/budget/request-budget.ts";
import type { Model, ModelPart, ModelRequest } from "../../../src/conversation/runtime/models/model.ts";
import type { Outgoing } from "../../../src/conversation/runtime/protocols/protocol.ts";
import type { SessionSnapshot } from "../../../src/conversation/runtime/session/session.ts";
import type { Session } from "../../../src/conversation/runtime/session/snapshot.ts";
import type { NewEvent } from "../../../src/conversation/runtime/store/conversation-row.ts";
import type { SpokenStore } from "../../../src/conversation/runtime/store/talk-store.ts";
import { AgentVoice } from "../../../src/conversation/runtime/turns/agent-voice.ts";
import { MemoryStore } from "../../../src/conversation/test-runs/talk/memory-store.ts";
import { NO_ANALYSIS } from "../../../src/kernel/db/schema/index.ts";
import { session as snapshotOf } from "./scripted/support.ts";

/** A clock that a test moves. */
export class VirtualClock {
  now = 0;
  readonly #due: { at: number; run: () => void }[] = [];

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.now + ms, run };
    this.#due.push(timer);
    return () => void (this.#due.includes(timer) && this.#due.splice(this.#due.indexOf(timer), 1));
  }

  /** Advances time (ms) and runs everything due in order. */
  async advance(ms: number): Promise<void> {
    const until = this.now + ms;
    await settled();
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.now = Math.max(this.now, next.at);
      next.run();
      await settled();
    }
    this.now = until;
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** A step of a played model: a part of its answer, a delay (ms), or a failure. */
export type Played = ModelPart | number | Error;

export const say = (text: string): ModelPart => ({ type: "text", text });
export const call = (name: string, args: Record<string, unknown> = {}): ModelPart => ({
  type: "tool_call",
  call: { id: name, name, arguments: args },
});

class PlayedModel implements Model {
  readonly name = "played";
  readonly requests: ModelRequest[] = [];
  readonly #clock: VirtualClock;
  readonly #scripts: Played[][];

  constructor(clock: VirtualClock, scripts: Played[][]) {
    this.#clock = clock;
    this.#scripts = scripts;
  }

  async *answer(request: ModelRequest): AsyncIterable<ModelPart> {
    this.requests.push(request);
    for (const step of this.#scripts[Math.min(this.requests.length, this.#scripts.length) - 1] ?? []) {
      if (step instanceof Error) throw step;
      if (typeof step === "number") await new Promise<void>((resolve) => void this.#clock.after(step, resolve));
      else yield step;
      request.signal.throwIfAborted();
    }
  }
}

/** The log, in memory, of a conversation whose words are spoken. */
class VoiceStore extends MemoryStore implements SpokenStore {
  setOpenTurn(): void {}

  closeTurn(turn: Extract<NewEvent, { type: "agent_turn" }>, at: number): number {
    return this.append(turn, at);
  }

  cutTurn(seq: number, heard: string | null): void {
    const turn = this.events.find((event) => event.seq === seq);
    if (turn) Object.assign(turn, { interrupted: true }, heard === null ? {} : { heard });
  }
}

const charge: Charge = {
  streamed: () => {},
  read: () => {},
  reported: () => {},
  refused: () => {},
  complete: () => {},
  end: () => {},
};

/** Creates a call on a real carrier in virtual time, which records each event with its second. */
export function spokenCall(
  scripts: Played[][],
  agent: Partial<SessionSnapshot["agent"]> = {},
  /** The account's own read tools, with their durations (ms). */
  reads: Record<string, number> = {},
  /** The model that replaces the scripts, and the budget for its requests. */
  { thinksWith, budget }: { thinksWith?: (clock: VirtualClock) => Model; budget?: TurnBudget } = {},
) {
  const clock = new VirtualClock();
  const base = snapshotOf("Front Desk");
  const snapshot: SessionSnapshot = Object.assign(base, {
    agent: Object.assign(base.agent, { transfer_targets: [{ label: "Office", number: "+12025550199" }] }, agent),
    call: base.call && Object.assign(base.call, { provider: "twilio" }),
  });
  snapshot.tools = Object.keys(reads).map((name) => {
    return { name, description: "", parameters: {}, effect: "read", max_runs: null, runs: "platform" };
  });
  const session: Session = {
    snapshot,
    direction: "outbound",
    phone_number: "+13035550123",
    installs: {},
    timezone: "UTC",
    follows: null,
    announcement: null,
    api_key_id: null,
    version: { number: 1, hash: "", is_stored: true, pin: null },
    analysis: NO_ANALYSIS,
    documents_late: false,
  };
  const store = new VoiceStore({
    id: snapshot.session_id,
    identity: { issued_at: 0 } as never,
    session,
    sql: {} as never,
    keep: () => {},
  });
  const model = new PlayedModel(clock, scripts);
  const chosen = thinksWith?.(clock) ?? model;
  const lines: string[] = [];
  const note = (what: string) => lines.push(`${(clock.now / 1000).toFixed(1)} ${what}`);
  const sent: Outgoing[] = [];
  const errors: unknown[] = [];
  const voice = new AgentVoice({
    store,
    send: (outgoing) => {
      sent.push(outgoing);
      if (outgoing.type === "words" && outgoing.text !== "") note(`says ${outgoing.text}`);
    },
    model: async () => chosen,
    actions: {
      search: async () => ({ ok: true, result: null }),
      optOut() {
        note("opts out");
        return true;
      },
      disposition: (value) => void note(`disposition ${value}`),
      transfer: async (label) => void note(`transfers to ${label}`),
    },
    platform: {
      has: (name) => name in reads,
      run: (name, tool_call_id) =>
        new Promise((resolve) => {
          store.append({ type: "tool_call", tool_call_id, name, arguments: {} }, clock.now);
          clock.after(reads[name] ?? 0, () => {
            store.append({ type: "tool_result", tool_call_id, ok: true, result: "open", duration_ms: 0 }, clock.now);
            resolve({ run_id: null, state: "ok", ok: true, result: "open", duration_ms: 0 });
          });
        }),
      nextEnd: async () => {},
    },
    budget: Object.assign({ allowsTurn: true }, budget ?? { reserve: async () => charge, renew: () => {} }),
    arm: async () => {},
    end: async (reason) => {
      note(`ends: ${reason}`);
      store.update({ ended_at: clock.now, end_reason: reason });
    },
    turnEnded: () => {},
    report: (error) => errors.push(error),
    now: () => clock.now,
    after: (ms, run) => clock.after(ms, run),
  });
  return {
    clock,
    store,
    model,
    voice,
    lines,
    sent,
    errors,
    /** Makes the caller say something. */
    hears(text: string): void {
      voice.stop();
      store.append({ type: "user_turn", text }, clock.now);
      voice.answer(clock.now).catch((error: unknown) => errors.push(error));
    },
    /** Returns the time of an event in seconds; undefined if it did not happen. */
    at(what: string): number | undefined {
      const found = lines.find((line) => line.includes(what));
      return found === undefined ? undefined : Number.parseFloat(found);
    },
    /** Returns the agent's recorded turns: `text`, or `heard|unheard` for a cut turn. */
    turns(): string[] {
      return store.events.flatMap((event) => {
        if (event.type !== "agent_turn") return [];
        const { text, interrupted, heard } = event;
        return [interrupted && heard !== undefined ? `${heard}|${text.slice(heard.length)}` : text];
      });
    },
    /** Returns the results of the built-in tools by name. */
    results(): Record<string, unknown> {
      const names = new Map(
        store.events.flatMap((event) =>
          event.type === "tool_call" ? [[event.tool_call_id, event.name] as const] : [],
        ),
      );
      return Object.fromEntries(
        store.events.flatMap((event) =>
          event.type === "tool_result" ? [[names.get(event.tool_call_id), event.result]] : [],
        ),
      );
    },
  };
}
