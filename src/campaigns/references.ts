import { and, eq } from "drizzle-orm";
import type { AccountStore } from "../db/account-store.ts";
import { agents, phoneNumbers } from "../db/schema/index.ts";
import type { CampaignSettings } from "./settings.ts";

/** What the settings name and the account does not have, in words; null when all is there. */
export async function missingReference(
  store: AccountStore,
  { agent_id, from_number }: Partial<Pick<CampaignSettings, "agent_id" | "from_number">>,
): Promise<string | null> {
  const [[agent], [number]] = await store.read(
    store.count(agents, eq(agents.id, agent_id ?? "")),
    store.count(phoneNumbers, and(eq(phoneNumbers.e164, from_number ?? ""), eq(phoneNumbers.outbound_enabled, true))),
  );
  if (agent_id != null && agent?.n === 0) return "agent_id: there is no such agent";
  if (from_number != null && number?.n === 0) return "from_number: not one of the account's numbers for outbound calls";
  return null;
}
