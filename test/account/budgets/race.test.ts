import { afterEach, describe, expect, it, vi } from "vitest";
import { framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import { readyOrClosed, talk, user } from "../../conversation/leases/support.ts";
import { livesWith } from "../../conversation/runtime/conversing.ts";
import type { Frame } from "../../support/runtime.ts";
import { claimsOf, widgetTenant } from "../../support/widget.ts";
import { setQuotas } from "../quotas/support.ts";
import { budget, createBudget } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const VISITORS = 60;
const MODEL = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };
/** The usage that the model reports with each answer. */
const REPORTED = 1_400;

/** Creates a model that answers only when it is released, and records its requests. */
function heldModel() {
  const bodies: string[] = [];
  let isLet = false;
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    bodies.push(await new Request(input, init).text());
    while (!isLet) await scheduler.wait(5);
    const frames = framesOf(openaiFrames(), [{ say: "We are open." }]).join("");
    return new Response(
      frames.replace(
        /"prompt_tokens":\d+,"completion_tokens":\d+/,
        `"prompt_tokens":${REPORTED},"completion_tokens":0`,
      ),
    );
  });
  const letGo = () => {
    isLet = true;
  };
  return { bodies, letGo };
}

/** Returns the minimum that a request reserves: half of its bytes, and the maximum answer. */
function leastReserved(body: string): number {
  const { max_tokens, max_completion_tokens, messages } = JSON.parse(body) as Record<string, unknown>;
  return Number(max_tokens ?? max_completion_tokens) + JSON.stringify(messages).length / 4;
}

describe("visitors who all ask at once", () => {
  it("simultaneous visitors never exceed the budget, and the rest get an error", async () => {
    const who = await widgetTenant();
    await setQuotas(who.account, { conversations: 2 * VISITORS });
    const limit = 40_000;
    const { id } = await createBudget(who, { limit, action: "end" });
    const sockets = [];
    for (let n = 0; n < VISITORS; n++) {
      const { access_token } = await user(who, `user-${n}`);
      await livesWith(who, String(claimsOf(access_token).fam), MODEL);
      const socket = await talk(access_token);
      expect(await readyOrClosed(socket)).toBe("ready");
      await socket.until(({ type }) => type === "message");
      sockets.push(socket);
    }
    const model = heldModel();
    for (const socket of sockets) socket.send({ type: "message", text: "Are you open on Friday?" });
    let left = 0;
    const outcomes = sockets.map(async (socket) => {
      const isAnswer = (frame: Frame) => frame.type === "message" && frame.text === "We are open.";
      const frames = await socket.until((frame) => frame.type === "ended" || isAnswer(frame));
      left++;
      return frames.at(-1)?.type;
    });
    // Refused visitors get their refusals while the others still wait for answers.
    await vi.waitFor(() => expect(left + model.bodies.length).toBe(VISITORS), { interval: 20 });
    expect((await budget(who, id)).used).toBe(0);
    const atOnce = model.bodies.reduce((sum, body) => sum + leastReserved(body), 0);
    expect(atOnce).toBeLessThanOrEqual(limit);
    model.letGo();
    const answered = (await Promise.all(outcomes)).filter((type) => type === "message").length;
    expect(answered).toBe(model.bodies.length);
    expect(answered).toBeGreaterThan(10);
    expect(answered).toBeLessThan(VISITORS);
    await vi.waitFor(async () => expect((await budget(who, id)).used).toBe(answered * REPORTED));
    expect(answered * REPORTED).toBeLessThanOrEqual(limit);
  });
});
