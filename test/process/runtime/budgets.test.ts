import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { Service } from "../campaigns/service.ts";
import { type Frame, Line } from "./line.ts";
import { Reception, type Taken } from "./reception.ts";

/** Kills the whole service while a model request is reserved and not settled. The model keeps running and counts. */
let service: Service;
let model: StandInModel;
let reception: Reception;

beforeAll(async () => {
  model = await startStandInModel();
  model.answers(({ body }) =>
    JSON.stringify(body.messages).includes("slowly")
      ? { steps: [], first_ms: 3_600_000, end: "stall" }
      : { steps: [{ say: "Yes." }] },
  );
  const secrets = await freshSecrets();
  const talk = { SANDBOX_CONVERSATION: "off", SANDBOX_TALK_MS: "3600000", SANDBOX_RING_MS: "1" };
  service = await Service.prepare(
    Object.assign({}, secrets, talk, { LLM_BASE_URL: model.openai_url, LLM_MODEL: "stand-in" }),
  );
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await model?.close();
}, 60_000);

describe("a budget whose reservation was not settled when the service was killed", () => {
  it("a budget keeps what the request may have used reserved", async () => {
    const first = await connect(await reception.ring("+13035550101"));
    ask(first, "Are you there?");
    expect(await whole(first)).toBe("Yes.");
    // The reservation of a request: half its bytes, and the longest answer.
    const one = JSON.stringify(model.requests[0]?.body).length / 2 + 1_000;
    const budget = { scope: "account", period: "day", unit: "tokens", limit: Math.floor(1.8 * one), action: "end" };
    const { id } = await reception.post<{ id: string }>("/api/v1/budgets", budget);
    first.close();
    const killed = await connect(await reception.ring("+13035550102"));
    ask(killed, "Think slowly.");
    await vi.waitFor(() => expect(model.requests).toHaveLength(2), WAIT);
    service.kill();
    await service.gone();
    killed.close();
    await service.start();

    const last = await connect(await reception.ring("+13035550103"));
    ask(last, "And you?");
    expect(await whole(last)).not.toBe("Yes.");
    expect(model.requests).toHaveLength(2);
    const { used, limit } = await reception.get<{ used: number; limit: number }>(`/api/v1/budgets/${id}`);
    expect(used).toBeLessThanOrEqual(limit);
    last.close();
  }, 300_000);
});

/** Connects to a call, and returns the line once its agent has greeted. */
async function connect({ session_token }: Taken): Promise<Line> {
  const line = await Line.open(`ws://127.0.0.1:${service.port}/runtime`, { session_token });
  await whole(line);
  return line;
}

const ask = (line: Line, voicePrompt: string) => line.send({ type: "prompt", voicePrompt, lang: "en-US", last: true });

/** Returns the agent's next turn. */
async function whole(line: Line): Promise<string> {
  let text = "";
  for (;;) {
    const frame: Frame | "closed" | "quiet" = await line.next();
    if (frame === "closed" || frame === "quiet") throw new Error(`the line is ${frame}`);
    if (frame.type !== "text") continue;
    text += frame.token ?? "";
    if (frame.last) return text;
  }
}
