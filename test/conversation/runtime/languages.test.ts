import { describe, expect, it, vi } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import type { SessionSnapshot } from "../../../src/conversation/runtime/session/session.ts";
import { openRuntime } from "../../support/runtime.ts";
import { sessionOf, show, withAgent } from "../agent-sessions/support.ts";
import {
  ask,
  connected,
  conversing,
  greetedSession,
  hasEnded,
  isEnd,
  linesOf,
  prompt,
  recordOnce,
} from "./conversing.ts";

const SESSION = "/api/runtime/v1/session";

/** Words in scripts that are written from the right or without spaces, and a mixture of both. */
const SCRIPTS = {
  "he-IL": "שלום, אפשר לדבר על הזמנה 1042?",
  "ar-EG": "مرحبا، متى تفتحون أبوابكم؟",
  "ja-JP": "もしもし、営業時間を教えてください。",
  "zh-CN": "你好，请问几点开门？",
  "hi-IN": "आप कब खुले रहते हैं?",
  "en-US": "Call me at דוד's, please",
};

describe("an agent's phrases in a session", () => {
  it("are accepted if they render as nothing or longer than they were written", async () => {
    const name = "x".repeat(190);
    const phrases = { goodbye: "{{nobody}}", silence: "{{agent_name}}, {{agent_name}}?", filler: "Moment …" };
    const call = await greetedSession({ name, phrases });
    const { status, body } = await call.client.get<SessionSnapshot>(SESSION);
    expect(status).toBe(200);
    const { goodbye, silence, filler, apology } = body.agent.phrases;
    expect([goodbye?.trim(), silence, filler, apology]).toEqual(["", `${name}, ${name}?`, "Moment …", null]);
    expect(body.missing_variables).toContain("nobody");
  });

  it("an agent's phrases are spoken with their quotes and marks as written", async () => {
    const filtered = 'Davon "weiß" ich nichts ]]> <b>&amp;';
    const call = await greetedSession({ phrases: { filtered } });
    const { body } = await call.client.get<SessionSnapshot>(SESSION);
    expect(body.agent.phrases.filtered).toBe(filtered);
  });
});

describe("words in any script", () => {
  it.each(Object.entries(SCRIPTS))(
    "words in any script stay as they are in the record and its exports: %s",
    async (lang, words) => {
      const call = await greetedSession({ language: lang, greeting_message: words });
      const socket = await connected(call);
      socket.send(Object.assign(prompt(words), { lang }));
      await socket.until(({ type, last }) => type === "text" && last === true);
      socket.close();
      const record = await recordOnce(call, hasEnded);
      expect(linesOf(record).slice(0, 2)).toEqual([`agent: ${words}`, `user: ${words}`]);
      expect(record.turns[1]).toMatchObject({ lang });
      const transcript = await call.server.get<string>(`/api/v1/conversations/${record.id}/transcript`);
      expect(JSON.stringify(transcript.body)).toContain(words);
      const csv = await call.server.send("GET", `/api/v1/conversations/export?call_id=${call.call_id}`, undefined);
      expect(csv.status).toBe(200);
      expect(csv.body).toContain(record.id);
    },
  );
});

describe("a caller who is spoken to in German", () => {
  it("hears German from the greeting to the goodbye, even if no model answers", async () => {
    const call = await greetedSession({ language: "de-DE", greeting_message: "Guten Tag, heute ist {{weekday}}." });
    const socket = await openRuntime(call.session_token);
    const greeting = await socket.until(({ type, last }) => type === "text" && last === true);
    expect(JSON.stringify(greeting)).toMatch(/heute ist (?:\p{L}+tag|Mittwoch)\./u);
    expect(await ask(socket, "Wer ist da?")).toContain("digitaler Assistent");
    socket.send(Object.assign(prompt("Vielen Dank, auf Wiederhören."), { lang: "de-DE" }));
    await socket.until(isEnd);
    const record = await recordOnce(call, hasEnded);
    expect(linesOf(record).findLast((line) => line.startsWith("agent: "))).toBe(
      "agent: Vielen Dank und auf Wiederhören.",
    );
    const english = Object.values(builtInSentences("en"));
    expect(record.turns.filter(({ text }) => english.includes(text))).toEqual([]);
  });
});

describe("a caller who asks in the agent's language not to be called again", () => {
  it("an opt-out in the agent's language is understood whatever language the recognizer names", async () => {
    const { call, socket } = await conversing({ language: "it-IT" });
    // The scripted agent speaks no Italian, so only the runtime understands this.
    socket.send(prompt("Non mi chiami più, per favore."));
    await vi.waitFor(async () => {
      const { body } = await call.server.get<{ numbers: object[] }>("/api/v1/do-not-call");
      expect(body.numbers).toHaveLength(1);
    });
    socket.close();
  });
});

describe("a visitor", () => {
  it("a visitor is told the conversation's language at each connection if it can change", async () => {
    const who = await withAgent({ language: "de-DE", languages: ["he-IL"] });
    const { access_token } = await sessionOf(who.server, who.agentId);
    for (let connected = 0; connected < 2; connected++) {
      const socket = await show(access_token);
      const frames = await socket.until(({ type }) => type === "language");
      expect(frames.at(-1)).toEqual({ type: "language", language: "de-DE" });
      socket.close();
    }
  });
});
