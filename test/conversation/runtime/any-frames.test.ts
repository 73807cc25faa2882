import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Conversation } from "../../records/conversations/support.ts";
import type { Frame, RuntimeSocket } from "../../support/runtime.ts";
import { openRuntime, setup } from "../../support/runtime.ts";
import { type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { guest } from "../leases/support.ts";
import { greetedSession, isLast, linesOf, prompt, recordOf } from "./conversing.ts";

afterEach(() => vi.restoreAllMocks());

/** Close codes for refused frames. None of them means an internal error. */
const REFUSALS = [1003, 1007, 1009, 4400, 4401, 4429];
const QUESTION = "Can I talk about something?";

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom("", " \n", "\ud800", "\u0000", "\u202e", "{{first_name}}", "x".repeat(30_000), "😀".repeat(400)),
);
const anything = fc.oneof(text, fc.anything({ maxDepth: 2 }), fc.constantFrom(null, -1, 1e308, [], {}, true));
const TYPES = ["session", "message", "interrupt", "setup", "prompt", "dtmf", "error", "ping", "__proto__", "", "ended"];
const FIELDS = [
  "text",
  "heard",
  "access_token",
  "voicePrompt",
  "lang",
  "last",
  "digit",
  "description",
  "id",
  "toString",
];

/** A frame of any type with any fields, or an invalid frame. */
const frame = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...TYPES), fc.dictionary(fc.constantFrom(...FIELDS), anything)) },
  { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", "null", "1", '"x"', '{"type":1}', '{"type":["message"]}') },
  { weight: 1, arbitrary: fc.constant("binary" as const) },
  { weight: 1, arbitrary: fc.constant("huge" as const) },
);
const sent = (one: unknown): string | ArrayBuffer => {
  if (one === "binary") return new ArrayBuffer(64);
  if (one === "huge") return JSON.stringify({ type: "message", text: "x".repeat(300_000) });
  if (typeof one === "string") return one;
  const [type, fields] = one as [string, object];
  return (
    JSON.stringify(Object.assign({ type }, fields), (_, value) => (typeof value === "bigint" ? `${value}` : value)) ??
    ""
  );
};

/** Frames, some of which are sent after an answer to the earlier ones. */
const talk = fc.array(fc.record({ frame, pause: fc.boolean() }), { minLength: 1, maxLength: 12 });

/** Sends the frames; returns how the socket closed, null if it stays open. */
async function play(socket: RuntimeSocket, frames: { frame: unknown; pause: boolean }[]) {
  let closed: { code: number; reason: string } | null = null;
  const closing = socket.closed.then((how) => {
    closed = how;
  });
  for (const one of frames) {
    if (closed !== null) break;
    socket.send(sent(one.frame));
    if (one.pause) await Promise.race([scheduler.wait(1), closing]);
  }
  return () => closed;
}

async function judge(
  open: () => Promise<RuntimeSocket>,
  frames: { frame: unknown; pause: boolean }[],
  ask: Frame,
  isAnswer: (frame: Frame) => boolean,
) {
  const socket = await open();
  const closed = await play(socket, frames);
  if (closed() === null) socket.send(ask);
  const outcome = await Promise.race([
    socket.until(isAnswer).then(
      () => "answered",
      () => socket.closed,
    ),
    socket.closed,
  ]);
  if (outcome !== "answered")
    expect(REFUSALS, JSON.stringify([outcome, frames])).toContain((outcome as { code: number }).code);
  // A reconnecting client continues after any refusal.
  const again = await open();
  again.send(ask);
  await again.until(isAnswer);
  again.close(1000);
}

const seed = Number(env.PROPERTY_SEED ?? 1);

describe("frames of any type at any moment", () => {
  it("a visitor's conversation answers or refuses any frame at any moment and records only the agent's words", async () => {
    const who: WidgetTenant = await widgetTenant();
    const isWhole = ({ type, text: words }: Frame) => type === "message" && words !== "Hello there.";
    await fc.assert(
      fc.asyncProperty(talk, async (frames) => {
        const { access_token } = await guest(who);
        let id = "";
        const open = async () => {
          const socket = await openRuntime();
          socket.send({ type: "session", access_token });
          const ready = await socket.next();
          expect(ready.type).toBe("ready");
          id = String(ready.conversation_id);
          return socket;
        };
        await judge(open, frames, { type: "message", text: QUESTION }, isWhole);
        const { turns } = (await who.server.get<Conversation>(`/api/v1/conversations/${id}`)).body;
        const agents = turns.filter(({ role }) => role === "agent").map(({ text: words }) => words);
        expect(agents.every((words) => !words?.includes("xxxxxxxx"))).toBe(true);
      }),
      { numRuns: 25, seed },
    );
  });

  it("a call answers or refuses any frame at any moment and continues", async () => {
    await fc.assert(
      fc.asyncProperty(talk, async (frames) => {
        const one = await greetedSession();
        const open = async () => {
          const socket = await openRuntime();
          socket.send(setup(one.session_token));
          return socket;
        };
        await judge(open, frames, prompt(QUESTION), isLast);
        expect(linesOf(await recordOf(one)).join("\n")).toContain(`user: ${QUESTION}`);
      }),
      { numRuns: 20, seed },
    );
  });
});
