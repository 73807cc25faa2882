import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { caller, isOver, originate, settled, slowly } from "../../phone/calls/support.ts";
import { answering, ring } from "../../phone/inbound/support.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { Client } from "../../support/client.ts";
import { openRuntime, type RuntimeSocket, runtimeFor } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { sessionOf, show, withAgent } from "../agent-sessions/support.ts";
import { hasEnded, isLast, linesOf, prompt, QUESTION, recordOf, recordOnce } from "./conversing.ts";
import { ended, numbered, report } from "./reporting.ts";
import { carrierToken } from "./support.ts";

const NAME = `Ac & "Me" <b> ]]>`;
const ENGLISH = "You are talking to an AI of {{account_name}}.";
const GERMAN = "Sie sprechen mit einer KI von {{ account_name }}.";
/** Agents' languages with the account's texts, and the expected disclosure. */
const SPEECH = [
  ["en-US", { en: ENGLISH, de: GERMAN }, `You are talking to an AI of ${NAME}.`],
  ["de-AT", { en: ENGLISH, de: GERMAN }, `Sie sprechen mit einer KI von ${NAME}.`],
  ["de-AT", { en: ENGLISH }, `You are talking to an AI of ${NAME}.`],
  ["tr-TR", {}, "You are talking to an AI assistant."],
] as const;
const GREETINGS: Record<string, unknown>[] = [
  { greeting_message: "" },
  { greeting_message: "Hello, this is Acme." },
  { greeting_message: "It is {{time}} at Acme." },
  { greeting_message: "{{opening|Welcome.}}" },
  { greeting_message: "You are talking to an AI assistant." },
  { greeting_message: "Hello, this is Acme.", greeting_mode: "locked" },
];
const DISTURBANCES = ["none", "interrupts at the first word", "loses its socket", "says nothing"] as const;

const beginnings = fc.record({
  speech: fc.constantFrom(...SPEECH),
  greeting: fc.constantFrom(...GREETINGS),
  disturbance: fc.constantFrom(...DISTURBANCES),
  /** Whether the live version was published before a disclosure was required. */
  isPublishedBefore: fc.boolean(),
  storage: fc.constantFrom("all" as const, "metadata" as const),
});
type Beginning = typeof beginnings extends fc.Arbitrary<infer T> ? T : never;

type Recorded = Pick<Conversation, "turns"> & {
  disclosed: { at: string | null; text: string | null; how: string } | null;
};
/** The recorded disclosure, and how it had to be made. */
interface Outcome {
  record: Recorded;
  how: "spoken" | "shown" | "reported" | "missing";
}

/** Changes an agent's settings, then turns on the account's disclosure. */
async function prepared(server: Client, agentId: string, { speech, greeting, isPublishedBefore, storage }: Beginning) {
  const path = `/api/v1/agents/${agentId}`;
  const [language, texts] = speech;
  const all = [
    await server.patch("/api/v1/account", { display_name: NAME }),
    await server.patch(path, Object.assign({ language, storage, voicemail_message: "Call back." }, greeting)),
    ...(isPublishedBefore
      ? [
          await server.patch(path, { versioning: "manual" }),
          await server.post(`${path}/publish`),
          await server.patch(path, { greeting_message: "A draft.", language: "fr-FR" }),
        ]
      : []),
    await server.patch("/api/v1/call-settings", { disclosure: { mode: "everywhere", texts } }),
  ];
  expect(all.filter(({ status }) => status !== 200)).toEqual([]);
}

/** Talks on a call as a carrier does; `again` is the token of a further connection. Returns the record. */
async function talks(
  call: { server: Client; call_id: string },
  socket: RuntimeSocket,
  disturbance: Beginning["disturbance"],
  again: () => Promise<string>,
): Promise<Recorded> {
  if (disturbance === "interrupts at the first word")
    socket.send({ type: "interrupt", utteranceUntilInterrupt: "", durationUntilInterruptMs: 0 });
  if (disturbance !== "says nothing") {
    socket.send(prompt(QUESTION));
    await socket.until(isLast);
  }
  // A caller who leaves before the beginning has no conversation.
  await recordOf(call);
  if (disturbance === "loses its socket") {
    socket.close(4000);
    const second = await openRuntime(await again());
    second.send(prompt("Are you there?"));
    await second.until(isLast);
    second.close();
  } else socket.close();
  return (await recordOnce(call, hasEnded)) as never;
}

/** Reads as a visitor or tester. */
async function reads(accessToken: string, disturbance: Beginning["disturbance"]): Promise<string> {
  const socket = await show(accessToken);
  const frames = await socket.until(({ type }) => type === "message");
  if (disturbance === "interrupts at the first word") socket.send({ type: "interrupt" });
  if (disturbance === "loses its socket") {
    socket.close(4000);
    await (await show(accessToken)).until(({ type }) => type === "ready");
  } else if (disturbance !== "says nothing") {
    socket.send({ type: "message", id: "a", text: QUESTION });
    await socket.until(({ type }) => type === "received");
  }
  return String(frames.find(({ type }) => type === "ready")?.conversation_id);
}

const conversationOf = async (server: Client, id: string) =>
  (await server.get<Recorded>(`/api/v1/conversations/${id}`)).body;
const sentenceOf = ({ speech: [, , sentence] }: Beginning) => sentence;
const claimsOf = (sub: string, { account, agent_id }: { account: string; agent_id: string }) => ({
  sub,
  account,
  agent_id,
});

/** Every way to begin a conversation. */
const WAYS: Record<string, (beginning: Beginning) => Promise<Outcome>> = {
  async "a call that comes in"(beginning) {
    const who = await answering();
    await prepared(who.server, who.agent_id, beginning);
    const { call_id, session_token } = (await ring(who)).body;
    const call = { server: who.server, call_id };
    const socket = await openRuntime(session_token);
    const again = () => carrierToken(claimsOf(call_id, who));
    return { record: await talks(call, socket, beginning.disturbance, again), how: "spoken" };
  },
  async "a call on which the carrier could not speak"(beginning) {
    const who = await answering();
    await prepared(who.server, who.agent_id, beginning);
    const { call_id } = (await ring(who)).body;
    const token = () => carrierToken(claimsOf(call_id, who));
    const socket = await openRuntime(await token());
    const [first] = await socket.until(({ type }) => type === "text");
    expect(first).toMatchObject({ token: sentenceOf(beginning), interruptible: false });
    await socket.until(isLast);
    const call = { server: who.server, call_id };
    return { record: await talks(call, socket, beginning.disturbance, token), how: "spoken" };
  },
  async "a call that is placed"(beginning) {
    const who = await caller();
    await prepared(who.server, who.agent_id, beginning);
    await slowly(who);
    const variables = { opening: "Hi!" };
    const { call_id } = (await originate(who, "+13035550110", { variables })).body;
    const token = await carrierToken(claimsOf(call_id, who), { disclosed: true, announced: false, greeted: false });
    const call = { server: who.server, call_id };
    const again = () => carrierToken(claimsOf(call_id, who));
    return { record: await talks(call, await openRuntime(token), beginning.disturbance, again), how: "spoken" };
  },
  async "a call that nobody takes over"(beginning) {
    const who = await caller();
    await prepared(who.server, who.agent_id, beginning);
    const { call_id } = (await originate(who, "+13035550110")).body;
    const { disclosed } = (await settled(who.server, call_id, isOver)) as never as Recorded;
    return { record: { turns: [], disclosed }, how: "missing" };
  },
  async "a message to a machine"(beginning) {
    const who = await caller();
    await prepared(who.server, who.agent_id, beginning);
    const { call_id } = (await originate(who, "+13035550105", { voicemail: "leave_message" })).body;
    const { disclosed } = (await settled(who.server, call_id, isOver)) as never as Recorded;
    return { record: { turns: [], disclosed }, how: "spoken" };
  },
  async "a widget's visitor"(beginning) {
    const who = await widgetTenant();
    await prepared(who.server, who.agentId, beginning);
    const config = await page().config(who.widgetKey.key);
    expect(config.body.agent?.greeting_message).toBe(sentenceOf(beginning));
    const { access_token } = (await page().guest(who.widgetKey.key)).body;
    const id = await reads(access_token, beginning.disturbance);
    return { record: await conversationOf(who.server, id), how: "shown" };
  },
  async "a test by hand"(beginning) {
    const who = await withAgent();
    await prepared(who.server, who.agentId, beginning);
    const version = beginning.isPublishedBefore ? { version: 1 } : undefined;
    const { access_token, conversation_id } = await sessionOf(who.server, who.agentId, version);
    await reads(access_token, beginning.disturbance);
    return { record: await conversationOf(who.server, conversation_id), how: "shown" };
  },
  async "a runtime of one's own on a call"(beginning) {
    const who = await answering();
    await prepared(who.server, who.agent_id, beginning);
    const { call_id } = (await ring(who)).body;
    const of = { account: who.account, agent_id: who.agent_id, campaign_id: null };
    const disclosed = beginning.disturbance !== "says nothing";
    const token = await issueRuntimeToken(env.SIGNING_KEYS, { call_id, ...of, disclosed }, 7200, Date.now());
    const how = await reported(new Client({ authorization: `Bearer ${token}` }), beginning, disclosed);
    return { record: (await recordOnce({ ...who, call_id }, hasEnded)) as never, how };
  },
  async "a runtime of one's own with a visitor"(beginning) {
    const who = await widgetTenant();
    await prepared(who.server, who.agentId, beginning);
    const { access_token } = (await page().guest(who.widgetKey.key)).body;
    const client = runtimeFor(who, access_token);
    const how = await reported(client, beginning, false);
    const id = await vi.waitFor(async () => {
      const list = await who.server.get<{ conversations: { id: string; status: string }[] }>("/api/v1/conversations");
      return (
        list.body.conversations.find(({ status }) => status === "ended")?.id ?? expect.fail("it is not on record yet")
      );
    });
    return { record: await conversationOf(who.server, id), how };
  },
};

/** Plays a runtime that says the disclosure first, after its first words or never, depending on the disturbance. */
async function reported(client: Client, beginning: Beginning, spoken: boolean): Promise<Outcome["how"]> {
  const { body } = await client.get<{ disclosure: object }>("/api/runtime/v1/session");
  expect(body.disclosure).toMatchObject({ text: sentenceOf(beginning), spoken });
  const turn = (seq: number, text: string) => numbered(seq, { type: "agent_turn", text });
  const disclosed = (seq: number) => numbered(seq, { type: "disclosed" });
  const first = [turn(1, sentenceOf(beginning)), disclosed(2), turn(3, "Hello.")];
  const late = [turn(1, "Hello."), disclosed(2), turn(3, "Well.")];
  const never = [turn(1, "Hello."), turn(2, "Well."), turn(3, "Bye.")];
  const events = {
    none: first,
    "loses its socket": late,
    "interrupts at the first word": never,
    "says nothing": first,
  };
  await report({ client }, ...events[beginning.disturbance], ended(4));
  if (spoken) return "spoken";
  return events[beginning.disturbance] === first ? "reported" : "missing";
}

describe.each(Object.entries(WAYS))("%s", (name, begins) => {
  it("a conversation records the disclosure before the first word or records it as missing", async () => {
    await fc.assert(
      fc.asyncProperty(beginnings, async (beginning) => {
        const { record, how } = await begins(beginning);
        const sentence = sentenceOf(beginning);
        expect(record.disclosed).toMatchObject({ text: sentence, how });
        expect(record.disclosed?.at === null).toBe(how === "missing");
        const isOurs = !name.startsWith("a runtime") && record.turns.length > 0;
        if (isOurs && beginning.storage === "all") {
          const lines = linesOf(record as never);
          const isGreeting = beginning.greeting.greeting_message === sentence;
          expect(lines[0]).toBe(`agent: ${sentence}`);
          expect(lines.filter((line) => line === lines[0]).length).toBeLessThanOrEqual(isGreeting ? 2 : 1);
        }
        if (beginning.storage === "metadata") expect(JSON.stringify(record.turns)).not.toContain(sentence);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
