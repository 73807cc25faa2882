import type { AccountStore } from "../../kernel/db/account-store.ts";
import { Outbox } from "../../kernel/durable/outbox.ts";
import type { NewEvent } from "../../records/events/event.ts";
import type { LedgerReport } from "../../records/ledger/report.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { Lines } from "./lines.ts";
import { Listing } from "./listing.ts";
import { Milestones } from "./milestones.ts";

/**
 * Where a campaign sends its outbox. The ledger receives the campaign's calls and the audit entries of acts on
 * contacts, the account's events receive the milestones, and D1 receives the campaign's row and the audit entries of
 * changes.
 */
export type CampaignDestination = "ledger" | "events" | "d1";

interface Dependencies {
  sql: SqlStorage;
  store: CampaignStore;
  accountStore: AccountStore;
  report(reports: LedgerReport[]): Promise<void>;
  take(events: NewEvent[]): Promise<void>;
  now(): number;
}

export interface CampaignOutbox {
  outbox: Outbox<CampaignDestination>;
  listing: Listing;
}

/**
 * Returns the outbox of a campaign. Only audit entries are stored as rows: calls, events and the listing refer to
 * attempts, history and the campaign's row, so that a million contacts aren't stored twice.
 */
export function campaignOutbox({ sql, store, accountStore, report, take, now }: Dependencies): CampaignOutbox {
  const lines = new Lines({ store, report, now });
  const milestones = new Milestones({ store, take, now });
  const listing = new Listing({ store, accountStore, now });
  const outbox = new Outbox<CampaignDestination>({
    sql,
    deliver: {
      ledger: async (rows) => {
        if (rows.length > 0) await report(rows.map(({ body }): LedgerReport => JSON.parse(body)));
        await lines.deliver();
      },
      events: milestones.deliver,
      d1: listing.deliver,
    },
    byReference: { ledger: lines, events: milestones, d1: listing },
  });
  return { outbox, listing };
}
