import { v7 as uuidv7 } from "uuid";
import { endConversations } from "../../calls/end-conversations.ts";
import { callLimits, placeCall } from "../../calls/place-call.ts";
import { SETTLED_WITHIN_MS } from "../../calls/reconciliation.ts";
import type { Carrier, Provider } from "../../carriers/carrier.ts";
import type { AccountStore } from "../../db/account-store.ts";
import { blockedNumbers } from "../../do-not-call/blocked.ts";
import { accountGate, recordingInbox } from "../../durable/objects.ts";
import { baseOf } from "../../http/base-url.ts";
import { ApiError } from "../../http/errors.ts";
import { VaultUnavailable } from "../../secrets/vault.ts";
import { carrierBy, type Line, lineFrom, lineReads } from "../../telephony/line.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { type CallLine, type DispatchDependencies, LineUnavailable } from "./dispatcher.ts";

/** How long the campaign's number and its credentials are reused, ms. */
const LINE_REUSE_MS = 10_000;

/** The dispatcher's dependencies in production: the account's gate, its numbers in D1, the carriers, the clock. */
export function dialDependencies(
  env: Env,
  store: CampaignStore,
  accountStore: AccountStore,
  changed: () => void,
): DispatchDependencies {
  const limits = callLimits(env);
  let current: { line: CallLine; at: number } | null = null;
  const carriers = new Map<string, Carrier>();

  return {
    limits,
    changed,
    now: Date.now,
    newCallId: (now) => uuidv7({ msecs: now }),
    exchange: ({ free, refund, renew, known, take }) => {
      const { account, id } = store.campaign.known;
      // Beside the gate and not waited for: a slot must not wait for a conversation to end.
      void endConversations(env, account, store.attempts.answered(free));
      return accountGate(env, account).exchange({
        campaign: id,
        free,
        refund,
        known,
        take,
        // A lease outlasts the campaign's own limit for the call, so that the campaign settles it first.
        ttl: limits.ring + SETTLED_WITHIN_MS,
        renew: { calls: renew, ttl: limits.duration + SETTLED_WITHIN_MS },
      });
    },
    async line() {
      const { agent_id, from_number } = store.campaign.settings;
      const fresh = current !== null && Date.now() - current.at < LINE_REUSE_MS;
      if (fresh && current?.line.from_number === from_number) return { ...current.line, agent_id };
      const { number, provider, carrier } = await openLine(env, accountStore, from_number ?? "");
      const line = { provider, carrier, agent_id, from_number, credentials_id: number.credentials_id };
      current = { line, at: Date.now() };
      return line;
    },
    async carrierOf({ provider, credentials_id, from_number }) {
      const key = `${provider} ${credentials_id ?? from_number}`;
      const known = carriers.get(key);
      if (known) return known;
      // Calls made before they carried their credentials go by those of their number.
      const carrier =
        credentials_id === null && provider !== "sandbox"
          ? (await openLine(env, accountStore, from_number ?? "")).carrier
          : await carrierBy(env, accountStore, provider as Provider, credentials_id);
      if (!carrier) throw new LineUnavailable("credentials_gone");
      carriers.set(key, carrier);
      return carrier;
    },
    async recorded({ call_id, agent_id, provider, credentials_id }, recording) {
      const { account, id } = store.campaign.known;
      const call = {
        provider: provider as Provider,
        credentials_id,
        call_id,
        agent_id: agent_id ?? "",
        campaign_id: id,
      };
      await recordingInbox(env, account).take(call, [recording]);
    },
    async place(line, callId, toNumber) {
      const { account, id } = store.campaign.known;
      const call = {
        account,
        call_id: callId,
        agent_id: line.agent_id ?? "",
        campaign_id: id,
        from_number: line.from_number ?? "",
        to_number: toNumber,
        credentials_id: line.credentials_id,
      };
      return placeCall(env, { provider: line.provider as Provider, carrier: line.carrier }, call, Date.now());
    },
    blocked: (numbers) => blockedNumbers(accountStore, numbers),
  };
}

async function openLine(env: Env, accountStore: AccountStore, from: string): Promise<Line> {
  try {
    baseOf(env);
    const line = await lineFrom(env, await accountStore.read(...lineReads(accountStore, from)));
    if (!line) throw new LineUnavailable("from_number_missing");
    if (!line.number.outbound_enabled) throw new LineUnavailable("from_number_outbound_disabled");
    return line;
  } catch (error) {
    if (error instanceof VaultUnavailable) throw new LineUnavailable("credentials_unavailable");
    if (error instanceof ApiError) throw new LineUnavailable(error.code);
    throw error;
  }
}
