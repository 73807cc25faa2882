import { runInDurableObject } from "cloudflare:test";
import { decodeJwt } from "jose";
import { afterEach, expect, it, vi } from "vitest";
import { framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import { evict } from "../../support/evict.ts";
import { widgetTenant } from "../../support/widget.ts";
import { talk, user } from "../leases/support.ts";
import { livesWith, objectOf } from "./conversing.ts";

/** The default limit of turns in a widget key's conversation. */
const TURNS = 60;

afterEach(() => vi.unstubAllGlobals());

it("a visitor's turns are limited by the key even after the conversation's object was rebuilt", async () => {
  const who = await widgetTenant();
  const { access_token } = await user(who, "a");
  const before = await talk(access_token);
  await before.until(({ type }) => type === "ready");
  before.close(4000);
  await before.closed;
  const object = objectOf(who, String(decodeJwt(access_token).fam)) as unknown as DurableObjectStub;
  await runInDurableObject(object, (_, { storage }) => {
    for (let seq = 101; seq <= 100 + TURNS; seq++) {
      const at = new Date().toISOString();
      const turns = [
        { seq: 2 * seq, at, type: "user_turn", text: "Hello" },
        { seq: 2 * seq + 1, at, type: "agent_turn", text: "Hello" },
      ];
      for (const event of turns)
        storage.sql.exec("INSERT INTO events (n, seq, event) VALUES (?1, ?1, ?2)", event.seq, JSON.stringify(event));
    }
  });
  await evict(object);
  const again = await talk(access_token);
  await again.until(({ type }) => type === "ready");
  again.send({ type: "message", text: "Can I talk about something?" });
  const frames = await again.until(({ type }) => type === "listening" || type === "message" || type === "ended");
  expect(frames.at(-1)).toMatchObject({ text: expect.stringContaining("I cannot continue this conversation") });
  expect(await again.until(({ type }) => type === "ended")).toContainEqual({ type: "ended", reason: "budget" });
});

it("a visitor who sends 200 messages before the first answer begins is answered", async () => {
  const who = await widgetTenant();
  const { access_token } = await user(who, "a");
  await livesWith(who, String(decodeJwt(access_token).fam), { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" });
  let isHeld = true;
  vi.stubGlobal("fetch", async () => {
    while (isHeld) await scheduler.wait(5);
    return new Response(framesOf(openaiFrames(), [{ say: "We are open." }]).join(""));
  });
  const socket = await talk(access_token);
  await socket.until(({ type }) => type === "ready");
  for (let n = 0; n < 200; n++) socket.send({ type: "message", text: `Are you there? ${n}` });
  const transcript = () =>
    runInDurableObject(objectOf(who, String(decodeJwt(access_token).fam)) as unknown as DurableObjectStub, (_, state) =>
      JSON.stringify(state.storage.sql.exec("SELECT event FROM events").toArray()),
    );
  await vi.waitFor(async () => expect(await transcript()).toContain("Are you there? 199"));
  isHeld = false;
  const frames = await socket.until(
    ({ type, text }) => type === "ended" || (type === "message" && text === "We are open."),
  );
  expect(frames.at(-1)).toMatchObject({ type: "message" });
});
