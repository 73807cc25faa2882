import { v7 as uuidv7 } from "uuid";
import { callLimits, placeCall } from "../calls/place-call.ts";
import type { AccountStore } from "../db/account-store.ts";
import { blockedNumbers } from "../do-not-call/blocked.ts";
import { VaultUnavailable } from "../secrets/vault.ts";
import { type Line, lineFrom, lineReads } from "../telephony/line.ts";
import type { CampaignBook } from "./book.ts";
import { type DispatchPorts, LineUnavailable } from "./dispatcher.ts";

/** How long the campaign's number and its credentials are reused, ms. */
const LINE_REUSE = 10_000;

/** The dispatcher's world as it is: the account's gate, its numbers in D1, the carriers, the clock. */
export function dialPorts(env: Env, book: CampaignBook, store: AccountStore, changed: () => void): DispatchPorts {
  const limits = callLimits(env);
  let line: { of: string; found: Line; at: number } | null = null;

  const currentLine = async (): Promise<Line> => {
    const from = book.campaign.settings.from_number ?? "";
    if (line?.of === from && Date.now() - line.at < LINE_REUSE) return line.found;
    const found = await openLine(env, store, from);
    line = { of: from, found, at: Date.now() };
    return found;
  };

  return {
    ...{ limits, changed },
    now: Date.now,
    newCallId: (now) => uuidv7({ msecs: now }),
    exchange: ({ free, renew, take }) => {
      const { account, id } = book.campaign.known;
      return env.ACCOUNT_GATE.getByName(account).exchange({
        ...{ campaign: id, free, take, ttl: limits.ring + LEASE_MARGIN },
        renew: { calls: renew, ttl: limits.duration + LEASE_MARGIN },
      });
    },
    carrier: currentLine,
    async place(callId, toNumber) {
      const { account, id, origin } = book.campaign.known;
      const { agent_id, from_number } = book.campaign.settings;
      const call = { account, call_id: callId, agent_id: agent_id ?? "", campaign_id: id, origin };
      return placeCall(
        env,
        await currentLine(),
        { ...call, from_number: from_number ?? "", to_number: toNumber },
        Date.now(),
      );
    },
    blocked: (numbers) => blockedNumbers(store, numbers),
  };
}

/** A lease outlasts the campaign's own limit for the call, so that the campaign sees to it first, ms. */
const LEASE_MARGIN = 60_000;

async function openLine(env: Env, store: AccountStore, from: string): Promise<Line> {
  try {
    const line = await lineFrom(env, await store.read(...lineReads(store, from)));
    if (!line) throw new LineUnavailable("from_number_missing");
    if (!line.number.outbound_enabled) throw new LineUnavailable("from_number_outbound_disabled");
    return line;
  } catch (error) {
    if (error instanceof VaultUnavailable) throw new LineUnavailable("credentials_unavailable");
    throw error;
  }
}
