import { z } from "zod";
import { widgetKeyContext } from "../kernel/db/seal-contexts.ts";
import { accountGate, accountMeter } from "../kernel/durable/objects.ts";
import type { Erasing } from "../kernel/erasure/sweep.ts";
import { label } from "../kernel/http/fields.ts";
import { NumberMask } from "../kernel/mask-number.ts";
import { ONE, objectStore } from "../kernel/stores/stores.ts";
import { bodyFields, CONFIGURATION, OUTBOX, type RowTables } from "../kernel/stores/tables.ts";
import { createApiKey } from "./api-keys/contract.ts";
import { maskAuditLog } from "./audit-log/mask-person.ts";
import { createBudget } from "./budgets/contract.ts";
import { GATE_MIGRATIONS } from "./gate/migrations.ts";
import { METER_MIGRATIONS } from "./meter/migrations.ts";
import { updatePrivacy } from "./privacy/contract.ts";
import { updateSignInPolicy } from "./sign-in-policy/contract.ts";
import { allowlistEntry, InvalidOrigin } from "./visitors/origins.ts";
import { allowlist, keyLimits, widgetSettings } from "./visitors/widget-fields.ts";

const notHandedOn = { left: "sessions are not copied to another account" } as const;
const live = { left: "about live calls and conversations, which a copy does not have" } as const;
const signIns = {
  nobody: "people who sign in, by a hash and an address, while failed sign-ins and known addresses count",
  ...notHandedOn,
} as const;

export const GATE = objectStore({
  migrations: GATE_MIGRATIONS,
  listing: ONE,
  at: accountGate,
  sweeps: {
    confirmations: {
      async run(gate, { number }) {
        const rows = number === null ? 0 : await gate.eraseNumber(number);
        return { counts: { other_records: rows }, next: null };
      },
    },
  },
  tables: {
    sessions: { nobody: "people who sign in, by the ids of their sessions, until these end", ...notHandedOn },
    console_sessions: {
      nobody: "people who sign in, with device and address, until their sessions end",
      ...notHandedOn,
    },
    joined_sessions: {
      nobody: "ids of the same people's sessions in other accounts, until these end",
      ...notHandedOn,
    },
    confirmations: {
      by: ["phone_number"],
      columns: ["effect", "summary"],
      erasure: "delete",
      left: "a key can request the action again",
    },
    sign_in_tickets: { nobody: "random ids of sign-ins, for minutes", ...notHandedOn },
    reserved_campaigns: { nobody: "ids of campaigns, while they are being created", ...live },
    ended_campaigns: { nobody: "ids of campaigns", left: "read from the list of campaigns" },
    sign_in_failures: signIns,
    sign_in_homes: signIns,
    stranger_failures: signIns,
  },
});

const counted = { nobody: "numbers of calls" } as const;
const ofBudgets = {
  nobody: "the use of budgets, by the ids of calls and conversations",
  left: "read again from the ledger, at the first use of a budget",
} as const;

export const METER = objectStore({
  migrations: METER_MIGRATIONS,
  backup: "meter",
  listing: ONE,
  at: accountMeter,
  sweeps: {
    meter: {
      async run(meter, { number, visitor, traces }) {
        const person = {
          numbers: number === null ? [] : [number],
          visitors: visitor === null ? [] : [visitor],
          conversations: traces("conversation"),
        };
        return { counts: { other_records: await meter.erasePerson(person) }, next: null };
      },
    },
  },
  tables: {
    days: { ...counted, copy: true },
    visitor_days: { by: ["visitor_id"], columns: ["who"], erasure: "delete", copy: true },
    caller_days: { by: ["phone_number"], columns: ["caller"], erasure: "delete", copy: true },
    tool_runs_of_day: { by: ["visitor_id"], columns: ["visitor"], erasure: "delete", copy: true },
    inbound_calls: { nobody: "ids of calls, here and at their carriers, for 7 days", copy: true },
    call_leases: { by: ["phone_number", "call_id"], columns: ["caller"], erasure: "mask", ...live },
    admissions: { ...counted, left: "calls of the last minute" },
    turns: { nobody: "ids of campaigns", ...live },
    live_leases: { by: ["visitor_id", "conversation_id"], columns: ["id", "lease"], erasure: "delete", ...live },
    tool_runs_of_minute: {
      by: ["visitor_id", "conversation_id"],
      columns: ["holder"],
      erasure: "delete",
      left: "runs of the last minute",
    },
    budget_pots: ofBudgets,
    budget_consumers: ofBudgets,
    budget_past_consumers: ofBudgets,
    budget_reservations: ofBudgets,
    budget_warnings: { nobody: ofBudgets.nobody, left: "a warning may be given again" },
    budget_starts: ofBudgets,
    outbox: { ...OUTBOX, left: "warnings, which are in the source's events" },
  },
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const last8 = z.string().length(8);
/** An email address of a member; "" because some identity providers give none. */
const email = z.union([z.literal(""), z.email().max(254)]);
/** A stored allowlist. Whether an entry covers more than one site is checked only when it is added. */
const storedAllowlist = allowlist.refine((entries) => entries.every(isCanonical));

function isCanonical(entry: string): boolean {
  try {
    return allowlistEntry(entry, () => false) === entry;
  } catch (error) {
    if (error instanceof InvalidOrigin) return false;
    throw error;
  }
}

const now = { now: true } as const;
const copied = { ...CONFIGURATION, copy: true } as const;
const people = { left: "the target of the restore decides who may sign in" } as const;

/** The number of rows deleted at a time. */
const EXPIRED_ENTRIES = 5_000;
const EXPIRED_FAMILIES = 1_000;

/** The D1 tables with the account itself and its access rules. */
export const ACCOUNT_ROWS = {
  budgets: { ...copied, borders: bodyFields(createBudget) },
  privacy_settings: { ...copied, borders: bodyFields(updatePrivacy) },
  sign_in_policies: { ...copied, borders: bodyFields(updateSignInPolicy) },
  widget_settings: { ...copied, borders: widgetSettings.shape },
  agent_widget_settings: copied,
  // Restored keys give no access until a member of the account enables them again.
  api_keys: {
    ...copied,
    set: { disabled_at: now, unattended: 0 },
    borders: Object.assign({ hash, last8 }, bodyFields(createApiKey)),
  },
  widget_keys: {
    ...copied,
    sealed: { sealed_key: widgetKeyContext },
    set: { disabled_at: now },
    borders: { name: label, hash, last8, domain_allowlist: storedAllowlist, limits: keyLimits.partial() },
  },
  invitations: {
    nobody: "people who are invited to sign in, until they accept or the invitation is withdrawn",
    copy: true,
    set: { expires_at: now },
    borders: { email, hash },
  },
  removed_members: {
    nobody: "people of an identity provider who may not sign in any more",
    copy: true,
    borders: { email },
  },
  // Prevents spent tokens from working again.
  spent_tokens: { nobody: "random ids of tokens, without their owners, until they expire", copy: true },
  visitor_families: {
    nobody: "random ids of sign-ins, without their owners, until they expire",
    copy: true,
    expiry: {
      job: "visitor_sessions",
      most: EXPIRED_FAMILIES,
      run: (maintenance, time, most) => maintenance.deleteOldFamilies(time, most),
    },
  },
  // The number is the id of a do-not-call entry, and may occur in the name of the changed resource.
  audit_log: {
    by: ["text"],
    columns: ["resource_id", "resource_name", "changes"],
    erasure: "mask",
    copy: true,
    // Only operators' entries refer to another account.
    set: { about_account: null },
    sweeps: { audit_log: maskInAuditLog },
    // Entries about acts are deleted by the alarms of the ledger's volumes.
    expiry: {
      job: "audit_log",
      most: EXPIRED_ENTRIES,
      run: (maintenance, time, most) => maintenance.deleteOldAuditEntries(time, most),
    },
  },
  accounts: {
    nobody: "the account itself",
    left: "created by the restore itself, from the head of the backup",
    outlives: "the account's own row, which goes last, with the note that the deletion is complete",
  },
  users: { nobody: "people who sign in, whom their account removes", ...people },
  second_factors: { nobody: "sealed secrets, with the ids of people who sign in", ...people },
  password_resets: { nobody: "links for people who sign in, by hash and their ids, until used or expired", ...people },
  operator_tokens: {
    nobody: "tokens of the deployment's operators",
    left: "belongs to the deployment's operators, whose account is not backed up",
  },
  scheduled_jobs: {
    nobody: "when the service's own jobs last succeeded",
    left: "belongs to the deployment, not to an account",
    outlives: "when the deployment's jobs last succeeded, which belong to no account",
  },
  object_gauges: { nobody: "counts of rows and times, by object", left: "written by the restored objects themselves" },
  quota_ceilings: { nobody: "counts of the current batch", left: "belongs to a write in progress" },
} as const satisfies Partial<RowTables>;

/** The number of entries scanned at a time. */
const ENTRIES = 500;
const lastEntry = z.string().nullable();

async function maskInAuditLog({ store, number, visitor }: Erasing, cursor: unknown) {
  if (number === null && visitor === null) return { next: null };
  const mask = number === null ? null : new NumberMask(number);
  const { masked, next } = await maskAuditLog(store, { mask, visitor }, lastEntry.parse(cursor) ?? "", ENTRIES);
  return { counts: { audit_entries: masked }, next };
}
