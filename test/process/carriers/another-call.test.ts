import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { webhookUrl } from "../../../src/phone/calls/webhook-url.ts";
import type { Webhook } from "../../../src/phone/carriers/carrier.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { type StandIn, standIn } from "./stand-in.ts";
import { CALL, order, type Payload, type Subject } from "./subject.ts";
import { subjects } from "./subjects.ts";

interface Call {
  call_id: string;
  provider_call_id: string | null;
  status: string;
  to_number: string;
}

let server: StandIn;
let worker: RunningWorker;
beforeAll(async () => {
  server = await standIn();
  worker = await startWorker(Object.fromEntries(subjects.map(({ variable }) => [variable, server.url])));
}, 120_000);
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
});

/** Creates a new account with credentials and a number at the carrier, and returns a client of its console user. */
async function customer({ name, credentials }: Subject) {
  const account = `other-${crypto.randomUUID().slice(0, 8)}`;
  const tokens = new Map<string, Promise<Record<string, string>>>();
  const as = (whom: string) => {
    const signedIn = tokens.get(whom) ?? worker.signIn(whom);
    tokens.set(whom, signedIn);
    return signedIn;
  };
  const ask = async <T>(method: string, path: string, body?: FormData | object, whom = account): Promise<T> => {
    const headers = { ...(await as(whom)), ...(!(body instanceof FormData) && { "content-type": "application/json" }) };
    const sent = body instanceof FormData ? body : (JSON.stringify(body) ?? null);
    const response = await fetch(worker.origin + path, { method, headers, body: sent });
    const text = await response.text();
    if (!response.ok) expect.fail(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  await ask("POST", "/api/admin/v1/accounts", { name: account, plan: "scale" }, "service-admin");
  const created = await ask<{ id: string }>("POST", "/api/v1/telephony/providers", { provider: name, credentials });
  const agent = await ask<{ id: string }>("POST", "/api/v1/agents", { name: "Caller", status: "active" });
  const from_number = "+12025550142";
  await ask("POST", "/api/v1/telephony/numbers", { e164: from_number, credentials_id: created.id });
  return { account, ask, line: { agent_id: agent.id, from_number }, credentials: created.id };
}

/** Returns the same value with another id of the call. */
const renamed = <T>(value: T, from: string, to: string): T => JSON.parse(JSON.stringify(value).replaceAll(from, to));

/** Returns the state that Telnyx receives with a call and returns with every report of it. */
const stateOf = (call_id: string) =>
  Buffer.from(JSON.stringify({ call_id, session_token: order.session_token })).toString("base64");

/** Makes the carrier accept calls. The first gets its example id with "-1" appended, the second with "-2". */
function takeCalls({ originate: { path, reply, id } }: Subject): void {
  let taken = 0;
  server.play((request) =>
    request.method === "POST" && request.path === path ? renamed(reply, id, `${id}-${++taken}`) : { status: 404 },
  );
}

const send = async ({ method, url, headers, body }: Webhook) => {
  const response = await fetch(url, { method, headers, body });
  await response.text();
  return [response.status, response.headers.get("x-error-code")];
};

const kinds = ["single calls", "calls of a campaign"] as const;

describe.each(subjects)("a report of another call, signed by $name", (subject) => {
  it.each(kinds)("changes nothing among %s, and the genuine report is accepted", async (kind) => {
    takeCalls(subject);
    const { account, ask, line, credentials } = await customer(subject);
    const list = async () => (await ask<{ calls: Call[] }>("GET", "/api/v1/calls")).calls.sort(byCarrierId);
    let campaign_id: string | null = null;
    if (kind === "single calls") {
      for (const to_number of ["+13035550110", "+13035550120"])
        await ask("POST", "/api/v1/calls/originate", { ...line, to_number });
    } else {
      const form = new FormData();
      for (const [name, value] of Object.entries(line)) form.set(name, value);
      form.set("contacts", new File(["phone_number\n+13035550110\n+13035550120\n"], "contacts.csv"));
      const { id } = await ask<{ id: string }>("POST", "/api/v1/campaigns", form);
      await ask("POST", `/api/v1/campaigns/${id}/start`);
      campaign_id = id;
    }
    const placed = await vi.waitFor(
      async () => {
        const calls = await list();
        expect(calls.map(({ status, provider_call_id }) => [status, provider_call_id])).toEqual(
          [1, 2].map((n) => ["initiated", `${subject.originate.id}-${n}`]),
        );
        return calls as [Call, Call];
      },
      { timeout: 60_000, interval: 50 },
    );

    const answered = subject.events.find(([, , event]) => event?.status === "in-progress" && !event.answered_by);
    const payload: Payload = answered?.[1] ?? expect.fail("no example");
    const addressOf = ({ call_id }: Call) => {
      const env = { PUBLIC_URL: worker.origin, SIGNING_KEYS: worker.signingKeys };
      return webhookUrl(env, subject.name, { account, call_id, campaign_id, credentials_id: credentials });
    };
    const report = async (of: Call, at: Call) => {
      const { id } = subject.originate;
      const about = renamed(renamed(payload, id, String(of.provider_call_id)), stateOf(CALL), stateOf(at.call_id));
      return subject.webhook(about, { url: await addressOf(at), now: Date.now() });
    };
    const [one, other] = placed;
    expect(await send(await report(other, one))).toEqual([403, "another_call"]);
    // A report that is genuine at one address is sent to another. It is forged if the signature covers the address.
    expect(await send({ ...(await report(other, other)), url: await addressOf(one) })).toEqual([
      403,
      expect.stringMatching(/^(another_call|forged_webhook)$/),
    ]);
    expect(await list()).toEqual(placed);
    expect((await send(await report(one, one)))[0]).toBeLessThan(300);
    await vi.waitFor(
      async () => expect((await list()).map(({ status }) => status)).toEqual(["in-progress", "initiated"]),
      {
        timeout: 60_000,
        interval: 50,
      },
    );
  });
});

/** Compares calls by the carrier's id. A campaign's call is listed before the carrier has given it an id. */
const byCarrierId = (a: Call, b: Call) => (a.provider_call_id ?? "").localeCompare(b.provider_call_id ?? "");
