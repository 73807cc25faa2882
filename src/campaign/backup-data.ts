import { z } from "zod";
import { type DeclaredTables, MIGRATION_STEPS_LEFT } from "../kernel/backup/declared.ts";
import { e164 } from "../kernel/http/fields.ts";
import { isTimeZone } from "../kernel/zones/time-zone.ts";
import { PROVIDERS } from "../phone/carriers/carrier.ts";
import { CALL_STATUSES } from "../records/ledger/call-status.ts";
import { ERASED_NUMBER } from "./contact-number.ts";
import { CAMPAIGN_STATUSES, CONTACT_STATUSES } from "./decide/state.ts";
import type { CAMPAIGN_PERSONAL_DATA } from "./personal-data.ts";
import { settingsFields } from "./settings.ts";

/** The digits of an E.164 number, as a number. */
const digits = z.union([z.literal(ERASED_NUMBER), z.int().min(1_000_000).max(999_999_999_999_999)]);

/** What backups do with a campaign's object: its own row comes last, and completes the campaign. */
export const CAMPAIGN_BACKUP = {
  zones: { copy: true, borders: { name: z.string().refine(isTimeZone) } },
  contacts: { copy: true, json: ["variables"], values: { status: CONTACT_STATUSES }, borders: { phone: digits } },
  attempts: {
    copy: true,
    json: ["contact_variables", "analysis", "disclosure"],
    values: { state: ["dialing", "placed", "ended"], status: CALL_STATUSES, provider: PROVIDERS },
    borders: { from_number: e164, to_number: digits },
  },
  analysis_names: { copy: true },
  earlier_numbers: { copy: true, borders: { phone: digits } },
  rejects: { copy: true, json: ["row"] },
  duplicates: { copy: true, json: ["variables"] },
  numbers_as_sent: { left: "only while an upload is read, which a copy is not" },
  uploads: { copy: true, json: ["names"] },
  contact_gaps: { copy: true },
  erasures: { copy: true, json: ["contacts", "formerly", "counts", "place"] },
  operations: { copy: true },
  outbox: { copy: true, json: ["body"], only: { destination: ["d1"] } },
  log: { copy: true, json: ["counts", "detail"] },
  campaign: {
    copy: true,
    json: ["settings", "columns", "redial", "assumed"],
    only: { status: CAMPAIGN_STATUSES },
    // The object knows both; it writes them when it is complete.
    set: { id: "", account: "", mirrored: 0 },
    borders: { settings: settingsFields.partial() },
  },
  migrations: MIGRATION_STEPS_LEFT,
} as const satisfies DeclaredTables<keyof typeof CAMPAIGN_PERSONAL_DATA>;
