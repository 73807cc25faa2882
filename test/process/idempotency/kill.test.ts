import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Account, type Answer, type Call } from "../campaigns/account.ts";
import { Service } from "../campaigns/service.ts";
import { StandInCarrier } from "../campaigns/stand-in-carrier.ts";
import type { Played } from "../carriers/stand-in.ts";

/** The carrier receives the request for the call and never responds. */
const UNANSWERED = "+13035554007";
/** The carrier accepts the call, but its response does not arrive. */
const TAKEN = "+13035554017";
/** The carrier responds normally. */
const PLACED = "+13035554027";
/** The carrier responds after the client has gone. */
const LEFT = "+13035554037";
/** The connection to the carrier breaks. */
const IN_DOUBT = "+13035554047";
const AGENTS = 12;
/** The interval at which a request is repeated while an attempt is in progress, ms. */
const RETRY_MS = 250;
const silence = new Promise<Played>(() => undefined);

let carrier: StandInCarrier;
let service: Service;

beforeAll(async () => {
  carrier = await StandInCarrier.open();
  service = await Service.prepare({ TWILIO_API_URL: carrier.url });
  await service.start();
});

afterAll(async () => {
  await service?.remove();
  await carrier?.close();
});

it("a request continues after its client disconnects, and a retry gets its response", async () => {
  const originate = ordering(await Account.open(service.url));
  const client = new AbortController();
  carrier.intercept = async ({ method }, to, serve) => {
    if (method !== "POST" || to !== LEFT) return serve();
    client.abort();
    await sleep(300);
    return serve();
  };
  await expect(originate(LEFT, client.signal)).rejects.toThrow("aborted");
  const answer = await untilAnswered(() => originate(LEFT));
  expect([answer.status, answer.replayed, answer.body.status]).toEqual([200, true, "initiated"]);
  expect(carrier.timesDialled().get(LEFT)).toBe(1);
});

it("a retry does not dial again if it is unknown whether the carrier accepted the call", async () => {
  const originate = ordering(await Account.open(service.url));
  let attempts = 0;
  carrier.intercept = ({ method }, to) => {
    if (method !== "POST" || to !== IN_DOUBT) return null;
    attempts++;
    return "close";
  };
  const first = await originate(IN_DOUBT);
  expect([first.status, first.code]).toEqual([500, "carrier_unknown"]);
  const again = await originate(IN_DOUBT);
  expect([again.status, again.replayed, again.body.status, attempts]).toEqual([200, false, "queued", 1]);
  expect(first.body).toContain(again.body.call_id);
});

it("a killed service dials no number twice and creates nothing twice on retries", async () => {
  const account = await Account.open(service.url);
  const originate = ordering(account);
  const createAgent = (n: number) =>
    account.request<{ id: string }>("POST", "/api/v1/agents", { name: `agent ${n}` }, { key: `agent-${n}` });
  const agents = Array.from({ length: AGENTS }, (_, n) => n);

  const inTheMiddle = new Promise<void>((resolve) => {
    const reached = new Set<string>();
    carrier.intercept = ({ method }, to, serve) => {
      if (method !== "POST" || (to !== UNANSWERED && to !== TAKEN)) return null;
      if (to === TAKEN) serve();
      if (reached.add(to).size === 2) resolve();
      return silence;
    };
  });
  const placed = await originate(PLACED);
  const cutOff: Promise<unknown>[] = [originate(UNANSWERED), originate(TAKEN)];
  await inTheMiddle;
  cutOff.push(...agents.map(createAgent));
  // Some of the requests are now in progress, at various points.
  await sleep(10);
  service.kill();
  await Promise.allSettled(cutOff);
  await service.gone();
  carrier.intercept = () => null;
  await service.start();

  const [unanswered, taken, again] = await Promise.all(
    [UNANSWERED, TAKEN, PLACED].map((to) => untilAnswered(() => originate(to))),
  );
  expect([unanswered?.status, taken?.status]).toEqual([200, 200]);
  expect([again?.status, again?.body]).toEqual([200, placed.body]);
  expect(await originate(UNANSWERED)).toEqual({ ...unanswered, replayed: true });
  const { calls } = await account.get<{ calls: Call[] }>("/api/v1/calls");
  expect(calls.map(({ to_number }) => to_number).sort()).toEqual([UNANSWERED, TAKEN, PLACED]);
  expect([UNANSWERED, TAKEN, PLACED].map((to) => carrier.timesDialled().get(to) ?? 0)).toEqual([0, 1, 1]);

  const created = await Promise.all(agents.map((n) => untilAnswered(() => createAgent(n))));
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
  const listed = await account.get<{ id: string; name: string }[]>("/api/v1/agents");
  const own = listed.filter(({ name }) => name.startsWith("agent "));
  expect(own.map(({ id }) => id).sort()).toEqual(created.map(({ body }) => body.id).sort());
});

/** Returns a function that orders a call to a number of the account's carrier, each under a new key. */
const ordering = (account: Account) => (to_number: string, signal?: AbortSignal) =>
  account.request<Call>(
    "POST",
    "/api/v1/calls/originate",
    { ...account.line, to_number },
    signal ? { key: to_number, signal } : { key: to_number },
  );

/** Returns the answer once no attempt is in progress. */
async function untilAnswered<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  for (;;) {
    const answer = await ask();
    if (answer.code !== "idempotency_in_progress") return answer;
    await sleep(RETRY_MS);
  }
}
