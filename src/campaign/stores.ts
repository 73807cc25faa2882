import { z } from "zod";
import { campaigns } from "../kernel/db/schema/index.ts";
import { campaignObject } from "../kernel/durable/objects.ts";
import { e164 } from "../kernel/http/fields.ts";
import { byRows, objectStore } from "../kernel/stores/stores.ts";
import { OUTBOX, type RowTables } from "../kernel/stores/tables.ts";
import { isTimeZone } from "../kernel/zones/time-zone.ts";
import { PROVIDERS } from "../phone/carriers/carrier.ts";
import { CALL_STATUSES } from "../records/ledger/call-status.ts";
import { ERASED_NUMBER } from "./contact-id.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES } from "./decide/state.ts";
import { campaignsToVisit, eraseInCampaign, maskInList } from "./erasure.ts";
import { settingsFields } from "./settings.ts";
import { CAMPAIGN_MIGRATIONS } from "./store/migrations.ts";

const digits = z.union([z.literal(ERASED_NUMBER), z.int().min(1_000_000).max(999_999_999_999_999)]);

export const CAMPAIGN = objectStore({
  migrations: CAMPAIGN_MIGRATIONS,
  backup: "campaign",
  listing: byRows("campaigns", campaigns),
  at: campaignObject,
  sweeps: {
    campaigns: {
      isFirst: true,
      async list({ store }, after, limit) {
        const ids = await campaignsToVisit(store, after ?? "", limit, Date.now());
        return { ids, next: ids.at(-1) ?? null };
      },
      run: eraseInCampaign,
    },
  },
  // The campaign's own row comes last and completes the campaign.
  tables: {
    zones: { nobody: "names of time zones", copy: true, borders: { name: z.string().refine(isTimeZone) } },
    contacts: {
      by: ["phone_number", "text"],
      columns: ["phone"],
      mentions: ["failure_reason", "variables"],
      erasure: "mask",
      copy: true,
      json: ["variables"],
      values: { status: CONTACT_STATUSES },
      borders: { phone: digits },
    },
    attempts: {
      by: ["phone_number", "contact", "text"],
      columns: ["to_number", "conversation_id"],
      mentions: ["reason", "disposition", "contact_variables", "analysis"],
      erasure: "mask",
      copy: true,
      json: ["contact_variables", "analysis", "disclosure"],
      values: { state: ["dialing", "placed", "ended"], status: CALL_STATUSES, provider: PROVIDERS },
      borders: { from_number: e164, to_number: digits },
    },
    analysis_names: { nobody: "names of values that agents look for", copy: true },
    // Records that history entries are about another number than the contact's.
    earlier_numbers: {
      by: ["phone_number", "contact"],
      columns: ["phone"],
      erasure: "mask",
      copy: true,
      borders: { phone: digits },
    },
    rejects: { by: ["text"], mentions: ["reason", "row"], erasure: "mask", copy: true, json: ["row"] },
    duplicates: {
      by: ["phone_number", "contact", "text"],
      mentions: ["phone", "variables"],
      erasure: "mask",
      copy: true,
      json: ["variables"],
    },
    // Exists only while an upload is read. An erasure waits for the end of the upload.
    numbers_as_sent: {
      by: ["text"],
      columns: ["phone"],
      erasure: "delete",
      left: "only while an upload is being read, and a copy is made at another time",
    },
    uploads: { by: ["text"], mentions: ["names"], erasure: "mask", copy: true, json: ["names"] },
    contact_gaps: { nobody: "which rows have no contact", copy: true },
    erasures: {
      nobody: "ids of erasures, and which rows they found",
      copy: true,
      json: ["contacts", "formerly", "counts", "cursor"],
    },
    operations: { nobody: "the results of requests, by their ids", copy: true },
    outbox: { ...OUTBOX, copy: true, json: ["body"], only: { destination: ["d1"] } },
    // Entries are hashed with the number of their contact, which could be found from the hash by trial.
    log: {
      by: ["contact", "text"],
      columns: ["reason", "detail", "hash"],
      erasure: "mask",
      copy: true,
      json: ["counts", "detail"],
    },
    // The countries assumed for an upload's numbers, with example numbers.
    campaign: {
      by: ["text"],
      columns: ["settings", "columns", "assumed"],
      erasure: "mask",
      copy: true,
      json: ["settings", "columns", "redial", "assumed"],
      only: { status: CAMPAIGN_STATUSES },
      // The restored object writes its own id and account when it is complete.
      set: { id: "", account: "", listed_revision: 0 },
      borders: { settings: settingsFields.partial() },
    },
  },
});

export const CAMPAIGN_ROWS = {
  campaigns: {
    by: ["text"],
    columns: ["record"],
    erasure: "mask",
    copy: true,
    // Everything that the restored object writes is newer.
    set: { revision: 0 },
    sweeps: { campaign_list: maskInList },
  },
} as const satisfies Partial<RowTables>;
