import type { ProviderChoice } from "../../../src/agent/models/provider.ts";
import { type Charge, openCharge, type Tokens } from "../../../src/conversation/runtime/budget/charge.ts";
import type { TurnBudget } from "../../../src/conversation/runtime/budget/request-budget.ts";
import type { Model } from "../../../src/conversation/runtime/models/model.ts";
import { connected } from "../../../src/conversation/runtime/models/model-of.ts";
import { timed } from "../../../src/conversation/runtime/models/timeouts.ts";
import { framesOf, openaiFrames, type Step } from "../../../src/dev/stand-in-frames.ts";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { CHOICES } from "./models/support.ts";
import { spokenCall, type VirtualClock } from "./voice-support.ts";

/** A step of a stand-in server's stream: text, a delay (ms), or a fault of the connection. */
export type Sent = string | number | "BREAK" | "SILENCE";
/** A stand-in's reaction to a request: unreachable, never answering, refusing, or streaming. */
export type Reply = "UNREACHABLE" | "HANGS" | Response | Sent[];

/** Returns a complete answer of these steps. */
export const answer = (...steps: Step[]): Sent[] => framesOf(openaiFrames(), steps);
/** Returns an answer of these steps that is cut before `until` and continues with `then`. */
export function begun(steps: Step[], until: string, ...then: Sent[]): Sent[] {
  const whole = framesOf(openaiFrames(), steps).join("");
  return [whole.slice(0, whole.indexOf(until)), ...then];
}
export const refusal = (status: number, body: object = {}, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** Streams an answer's bytes in virtual time. */
function streamed(sent: Sent[], clock: VirtualClock): Response {
  const left = [...sent];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const next = left.shift();
        if (next === undefined) return controller.close();
        if (next === "BREAK") return controller.error(new TypeError("lost"));
        if (next === "SILENCE") return new Promise(() => {});
        if (typeof next === "string") return controller.enqueue(new TextEncoder().encode(next));
        await new Promise<void>((resolve) => void clock.after(next, resolve));
      }
    },
  });
  return new Response(body);
}

export interface Asked {
  at: number;
  model: string;
  messages: { role: string; content: string }[];
  redirect: RequestInit["redirect"];
}

/** Creates a model at a server that gives these replies in turn; the last one repeats. */
function standIn(
  { model, kind, replies }: { model: string; kind: ProviderChoice["kind"]; replies: Reply[] },
  clock: VirtualClock,
  asked: Asked[],
): Model {
  let n = 0;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { messages } = JSON.parse(String(init?.body));
    asked.push({ at: clock.now, model, messages, redirect: init?.redirect });
    const reply = replies[Math.min(n++, replies.length - 1)];
    if (reply === undefined || reply === "UNREACHABLE") throw new TypeError("connection refused");
    if (reply === "HANGS") return new Promise(() => {});
    return reply instanceof Response ? reply.clone() : streamed(reply, clock);
  };
  return connected(Object.assign({}, CHOICES.openai, { model, kind }), fetch);
}

/** Creates a budget that covers this many requests and records each charge. */
export function counted(reservations = Number.POSITIVE_INFINITY) {
  const charged: Tokens[] = [];
  let left = reservations;
  const budget: TurnBudget = {
    reserve: async (size): Promise<Charge | "refused"> => {
      if (left-- <= 0) return "refused";
      return openCharge(size, (tokens) => charged.push(tokens));
    },
    renew: () => {},
  };
  return { budget, charged };
}

interface Servers {
  first: Reply[];
  /** Omitted if the agent has no second model. */
  second?: Reply[];
  /** The kind of servers; a vendor's by default. */
  kind?: ProviderChoice["kind"];
  reservations?: number;
  reads?: Record<string, number>;
}

/** Creates a call in virtual time whose agent has these models. */
export function callWith({ first, second, kind = "openai", reservations, reads = {} }: Servers) {
  const asked: Asked[] = [];
  const { budget, charged } = counted(reservations);
  const thinksWith = (clock: VirtualClock) => {
    const other = second === undefined ? null : standIn({ model: "second", kind, replies: second }, clock, asked);
    return timed(standIn({ model: "first", kind, replies: first }, clock, asked), other, clock);
  };
  const talk = spokenCall([], {}, reads, { thinksWith, budget });
  return Object.assign(talk, {
    asked,
    charged,
    /** The requested models in order. */
    models: () => asked.map(({ model }) => model),
    usage: () => talk.store.events.filter((event: ConversationEvent) => event.type === "usage"),
    /** Advances time in small steps, because streams need turns of the event loop in between. */
    async advance(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 500) {
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
        await talk.clock.advance(Math.min(500, left));
      }
    },
  });
}
