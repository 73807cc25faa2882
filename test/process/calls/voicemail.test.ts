import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Account } from "../campaigns/account.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { Service } from "../campaigns/service.ts";
import { FOR_EVER, StandInCarrier } from "../campaigns/stand-in-carrier.ts";

/** The numbers whose calls the service is killed in: during detection, and during the message. */
const [DETECTED, SPOKEN] = ["+13033004006", "+13033004016"];

let carrier: StandInCarrier;
let service: Service;
let account: Account;
/** The numbers to which the carrier was asked to speak, with the texts. */
const spoken: string[] = [];
const documents: (string | null)[] = [];
/** Whether the service is killed when the carrier is asked to speak. */
let kills = false;

beforeAll(async () => {
  carrier = await StandInCarrier.open();
  carrier.lasts = () => ({ ring: 20, talk: FOR_EVER });
  carrier.intercept = ({ method, body }, to) => {
    const form = new URLSearchParams(method === "POST" ? body : "");
    if (!form.has("Twiml") || form.has("MachineDetection")) return null;
    spoken.push(to);
    documents.push(form.get("Twiml"));
    if (!kills) return { body: { sid: callTo(to).sid, status: "in-progress" } };
    service.kill();
    return "close";
  };
  // A message that may have been spoken keeps its call open for this long.
  service = await Service.prepare({ TWILIO_API_URL: carrier.url, CALL_VOICEMAIL_TIMEOUT_S: "1" });
  await service.start();
  account = await Account.open(service.url);
  await account.request("PATCH", `/api/v1/agents/${account.line.agent_id}`, {
    greeting_message: "Hello, how are you?",
    voicemail_message: "Please call {{agent_name}} back.",
    name: "Ada",
  });
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await carrier?.close();
}, 60_000);

function callTo(number: string) {
  const call = carrier.ledger.find(({ to }) => to === number);
  if (!call) throw new Error(`${number} was not called`);
  return call;
}

/** Places a single call that leaves a message once it is answered. */
async function answered(to_number: string): Promise<string> {
  const order = { ...account.line, to_number, voicemail: "leave_message" };
  const { body } = await account.request<{ call_id: string }>("POST", "/api/v1/calls/originate", order);
  await vi.waitFor(async () => expect((await account.call(body.call_id)).status).toBe("in-progress"), WAIT);
  return body.call_id;
}
/** Reports, as the carrier, that the machine's greeting is over. */
const detect = (number: string) =>
  carrier.send(callTo(number).callback, { CallSid: callTo(number).sid, AnsweredBy: "machine_end_beep", To: number });
/** Ends the call from the other side, unless it was hung up. */
async function end(number: string): Promise<void> {
  const call = callTo(number);
  if (call.status === "in-progress") call.status = "completed";
  await carrier.send(call.callback, { CallSid: call.sid, CallStatus: "completed", To: number });
}

/**
 * Checks that the call ended as one answered by a machine, the message was spoken at most once, and no slot is held.
 */
async function endsOnce(id: string, number: string): Promise<void> {
  await end(number);
  const over = { status: "completed", end_reason: "machine" };
  await vi.waitFor(async () => expect(await account.call(id)).toMatchObject(over), WAIT);
  expect(spoken.filter((to) => to === number).length).toBeLessThanOrEqual(1);
  await vi.waitFor(async () => expect((await account.limits()).concurrent_calls.used).toBe(0), WAIT);
  expect(carrier.timesDialled().get(number)).toBe(1);
}

describe("a single call's message to a machine", () => {
  it("a message is left or its call ended if the service was killed when the machine was detected", async () => {
    const id = await answered(DETECTED);
    carrier.onMoment = (moment) => {
      if (moment !== "report sent") return false;
      carrier.onMoment = () => false;
      service.kill();
      return true;
    };
    await detect(DETECTED);
    await service.gone();
    await service.start();
    // A carrier whose report was not answered repeats it.
    expect(await detect(DETECTED)).toBe(204);
    await vi.waitFor(() => expect(spoken.includes(DETECTED) || callTo(DETECTED).ended > 0).toBe(true), WAIT);
    for (const document of documents) expect(document).toContain("<Say>Please call Ada back.</Say>");
    await endsOnce(id, DETECTED);
  });

  it("a message whose order was interrupted by a kill is not spoken again", async () => {
    const id = await answered(SPOKEN);
    kills = true;
    void detect(SPOKEN);
    await vi.waitFor(() => expect(spoken).toContain(SPOKEN), WAIT);
    await service.gone();
    kills = false;
    await service.start();
    expect(await detect(SPOKEN)).toBe(204);
    // It is unknown whether the message was spoken, so the call is hung up when the message would be over.
    await vi.waitFor(() => expect(callTo(SPOKEN).ended).toBe(1), WAIT);
    await endsOnce(id, SPOKEN);
  });
}, 300_000);
