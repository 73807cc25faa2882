import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { Service } from "../campaigns/service.ts";
import { type Conversation, Reception, type Taken } from "./reception.ts";

/** Kills the service while a model reads a conversation. The model keeps running and counts its requests. */
let service: Service;
let model: StandInModel;
let reception: Reception;

type Analyzed = Conversation & {
  analysis: { status: string; reason: string | null; summary: string; usage: { requests: number } } | null;
};

const DONE = JSON.stringify({ summary: "Ada called.", data: { who: { value: "Ada", turns: [1] } } });

beforeAll(async () => {
  model = await startStandInModel();
  const secrets = await freshSecrets();
  const talk = { SANDBOX_CONVERSATION: "off", SANDBOX_TALK_MS: "3600000", SANDBOX_RING_MS: "1" };
  service = await Service.prepare(
    Object.assign({}, secrets, talk, {
      LLM_BASE_URL: model.openai_url,
      LLM_MODEL: "stand-in",
      VOICE_RUNTIME_URL: "wss://runtime.example",
    }),
  );
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
  const data = [{ name: "who", type: "text", description: "Who called." }];
  await reception.patch(`/api/v1/agents/${reception.agentId}`, { analysis: { enabled: true, data } });
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await model?.close();
}, 60_000);

describe("an analysis whose service is killed", () => {
  it("an analysis whose service was killed is repeated and recorded once", async () => {
    model.answers(() => ({ steps: [{ say: "{" }], end: "stall" }));
    const call = await over("+13035550101");
    await vi.waitFor(() => expect(model.requests).toHaveLength(1), WAIT);
    await killed();
    model.answers(() => ({ steps: [{ say: DONE.slice(0, 20) }, { say: DONE.slice(20) }] }));
    await service.start();
    const { analysis } = await analyzed(call);
    expect(analysis).toMatchObject({ status: "done", summary: "Ada called.", usage: { requests: 2 } });
    expect(model.requests).toHaveLength(2);
    const { events } = await reception.get<{ events: object[] }>("/api/v1/events?types=conversation.analyzed");
    expect(events).toHaveLength(1);
  }, 300_000);

  it("an analysis that fails at each attempt states the reason and stops asking the model", async () => {
    model.answers(() => ({ steps: [], end: "stall" }));
    const before = model.requests.length;
    const call = await over("+13035550102");
    for (let tries = 1; tries <= 3; tries++) {
      await vi.waitFor(() => expect(model.requests).toHaveLength(before + tries), WAIT);
      await killed();
      await service.start();
    }
    const { analysis } = await analyzed(call);
    expect(analysis).toMatchObject({
      status: "failed",
      reason: "the service was interrupted while the model answered",
      usage: { requests: 3 },
    });
    expect(model.requests).toHaveLength(before + 3);
  }, 300_000);
});

async function killed(): Promise<void> {
  service.kill();
  await service.gone();
}

/** Creates an ended call in which Ada said something to a custom runtime. */
async function over(from: string): Promise<Taken> {
  const call = await reception.ring(from);
  const at = new Date().toISOString();
  const events = [
    { seq: 1, at, type: "user_turn", text: "This is Ada." },
    { seq: 2, at, type: "ended", reason: "hangup" },
  ];
  const { status } = await fetch(`${service.url}/api/runtime/v1/session/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${await reception.runtimeToken(call)}`, "content-type": "application/json" },
    body: JSON.stringify({ events }),
  });
  expect(status).toBe(200);
  return call;
}

/** Returns the conversation of the call once its analysis is over. */
function analyzed(call: Taken): Promise<Analyzed> {
  return vi.waitFor(async () => {
    const { analysis, ...conversation } = (await reception.conversation(call)) as Analyzed;
    if (!analysis || analysis.status === "pending") throw new Error("it is not analyzed yet");
    return Object.assign(conversation, { analysis });
  }, WAIT);
}
