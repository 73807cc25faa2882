import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { shortId, signText, verifyToken } from "../../../src/kernel/secrets/tokens.ts";
import { mediaSession } from "../../../src/phone/calls/place-call.ts";
import { reconcileCalls } from "../../../src/phone/calls/reconcile-calls.ts";
import type { RelaySettings } from "../../../src/phone/carriers/carrier.ts";
import { SANDBOX_WEBHOOK } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { BASE } from "../../support/client.ts";
import { standIn } from "../../support/stand-in.ts";
import {
  type Caller,
  caller,
  getCall,
  originate,
  running,
  sandboxOf,
  settled,
  slowly,
  webhookPath,
} from "./support.ts";

/** Runs the service with the sandbox's reports, and records what its conversations receive. */
function service(who: Caller, vars: { SANDBOX_CONVERSATION?: string; fails?: boolean } = {}) {
  const ended: string[] = [];
  const CONVERSATION = standIn((name) => ({
    callEnded: async () => {
      ended.push(name);
      if (vars.fails) throw new Error("the conversation is away");
    },
  }));
  const bindings = { ...env, SANDBOX_CONVERSATION: vars.SANDBOX_CONVERSATION ?? "on", CONVERSATION };
  const report = async (callId: string, status: string) => {
    const path = await webhookPath(who, callId);
    const body = JSON.stringify({ status, provider_call_id: callId, answered_by: null, reason: "", recording: null });
    const signature = await signText(env.SIGNING_KEYS, SANDBOX_WEBHOOK, `${BASE}${path}\n${body}`);
    const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
    const response = await app.fetch(new Request(BASE + path, { method: "POST", headers, body }), bindings);
    expect(response.status).toBe(204);
  };
  /** Looks up, at its carrier, a call without recent reports. */
  const reconcile = (callId: string) =>
    reconcileCalls(
      {
        env: bindings as unknown as Env,
        store: accountStore(env, who.account, { actor: "test", request_id: "" }),
        clock: Date.now,
      },
      [{ callId, hangUp: false }],
    );
  return { ended, report, reconcile };
}

/** Creates a call that rings until another state is reported. */
async function ringing(who: Caller): Promise<string> {
  await slowly(who);
  const { call_id } = (await originate(who, "+13035550110")).body;
  await settled(who.server, call_id, ({ status }) => status === "ringing");
  return call_id;
}

describe("a call's conversation", () => {
  it.each(["completed", "canceled", "failed"])(
    "a call's conversation is notified once that the call has ended, %s after an answer",
    async (status) => {
      const who = await caller();
      const id = await ringing(who);
      const { ended, report } = service(who);
      await report(id, "in-progress");
      expect(ended).toEqual([]);
      await report(id, status);
      await report(id, status);
      expect(ended).toEqual([`${who.account}/${id}`]);
      expect(await running(who.server)).toBe(0);
    },
  );

  it("a call's conversation is notified of the end even if the answer was never reported", async () => {
    const who = await caller();
    const id = await ringing(who);
    const { ended, report } = service(who);
    await report(id, "completed");
    expect(ended).toHaveLength(1);
  });

  it("the reconciliation notifies the conversation if the carrier reported nothing", async () => {
    const who = await caller();
    const id = await ringing(who);
    const { ended, report, reconcile } = service(who);
    await report(id, "in-progress");
    await reconcile(id);
    expect(ended).toEqual([]);
    await sandboxOf(who).hangUp(id);
    await reconcile(id);
    expect(await getCall(who.server, id)).toMatchObject({ status: "canceled" });
    expect(ended).toEqual([`${who.account}/${id}`]);
  });

  it.each(["busy", "no-answer", "failed", "canceled"])(
    "a call's conversation does not begin if the call ends as %s",
    async (status) => {
      const who = await caller();
      const id = await ringing(who);
      const { ended, report } = service(who);
      await report(id, status);
      expect(ended).toEqual([]);
      expect(await running(who.server)).toBe(0);
    },
  );

  it("an unreachable conversation does not delay its call", async () => {
    const who = await caller();
    const id = await ringing(who);
    const { ended, report } = service(who, { fails: true });
    await report(id, "completed");
    expect(ended).toHaveLength(1);
    expect(await getCall(who.server, id)).toMatchObject({ status: "completed" });
    expect(await running(who.server)).toBe(0);
  });

  it("no conversation is notified if the sandbox holds none", async () => {
    const who = await caller();
    const id = await ringing(who);
    const { ended, report } = service(who, { SANDBOX_CONVERSATION: "off" });
    await report(id, "completed");
    expect(ended).toEqual([]);
  });
});

describe("a call's token", () => {
  const [call_id, agent_id] = [crypto.randomUUID(), crypto.randomUUID()];
  const call = {
    account: "acme",
    call_id,
    agent_id,
    credentials_id: crypto.randomUUID(),
    disclosure: null,
    recording: null,
  };
  const now = Date.now();
  const OWN_RUNTIME = { VOICE_RUNTIME_URL: "wss://runtime.example/media" };
  const sessionOf = (vars: Partial<Env>, changes: object = {}, relay: RelaySettings | null = null) =>
    mediaSession(
      { env: { ...env, ...vars }, now },
      { provider: "twilio", call: Object.assign({}, call, { campaign_id: null }, changes), relay },
    );
  const claimsOf = async (campaign_id: string | null) =>
    verifyToken(env.SIGNING_KEYS, "runtime", (await sessionOf(OWN_RUNTIME, { campaign_id })).session_token, now);
  const RELAY = {
    greeting: "Hello",
    greeting_interruptible: true,
    voice_provider: "",
    voice_id: "",
    language: "en-US",
    languages: [],
    key_terms: [],
    suppresses_noise: false,
  };

  it("lets a custom runtime take over the call, and names the call's campaign", async () => {
    const campaign = crypto.randomUUID();
    expect(await claimsOf(campaign)).toMatchObject({
      sub: call_id,
      account: "acme",
      agent_id,
      campaign: shortId(campaign),
    });
    expect(await claimsOf(null)).not.toHaveProperty("campaign");
  });

  it("names the carrier for the built-in runtime, and what the carrier speaks first", async () => {
    for (const recording of [null, { announcement: null }, { announcement: "This call is recorded." }]) {
      const { session_token, greeted_token } = await sessionOf({}, { recording }, RELAY);
      const announced = recording?.announcement ? "a" : "";
      for (const [token, greeted] of [
        [session_token, ""],
        [greeted_token, "g"],
      ] as const) {
        expect(await verifyToken(env.SIGNING_KEYS, "runtime", token, now)).toBeNull();
        const claims = await verifyToken(env.SIGNING_KEYS, "carrier", token, now);
        expect(claims).toMatchObject({ sub: shortId(call_id), account: "acme", agent: shortId(agent_id) });
        // Twilio signs its handshakes, which the address also shows.
        expect(claims?.flags).toBe(`${announced}${greeted}s`);
      }
    }
    const { session_token, greeted_token } = await sessionOf({}, {}, Object.assign({}, RELAY, { greeting: " " }));
    expect(greeted_token).toBe(session_token);
  });

  it("a call's token is valid for two minutes longer than the longest call", async () => {
    const { exp = 0 } = (await claimsOf(null)) ?? {};
    const longest = Number(env.CALL_RING_TIMEOUT_S) + Number(env.CALL_MAX_DURATION_S);
    expect(exp - Math.floor(now / 1000)).toBe(longest + 120);
  });

  it("a call's token fits in the 500 characters that carriers pass on", async () => {
    const long = {
      account: "a".repeat(63),
      campaign_id: crypto.randomUUID(),
      recording: { announcement: "This call is recorded." },
    };
    for (const vars of [{}, OWN_RUNTIME]) {
      const { session_token, greeted_token } = await sessionOf(vars, long, RELAY);
      for (const token of [session_token, greeted_token]) expect(`session_token${token}`.length).toBeLessThan(500);
    }
  });
});
