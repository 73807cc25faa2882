import { z } from "zod";
import { accountDisclosure } from "../agent/disclosure/fields.ts";
import { credentialsContext, optOutKeyContext } from "../kernel/db/seal-contexts.ts";
import { recordingInbox, sandboxCarrier } from "../kernel/durable/objects.ts";
import type { Erasing } from "../kernel/erasure/sweep.ts";
import { e164, label } from "../kernel/http/fields.ts";
import { NumberMask } from "../kernel/mask-number.ts";
import { type BucketStore, ONE, objectStore } from "../kernel/stores/stores.ts";
import { bodyFields, CONFIGURATION, type RowTables } from "../kernel/stores/tables.ts";
import { Ledger } from "../records/ledger/ledger.ts";
import { updateCallSettings } from "./call-settings/contract.ts";
import { PROVIDERS } from "./carriers/carrier.ts";
import { MAX_RECORDING_BYTES } from "./carriers/http.ts";
import { SANDBOX_MIGRATIONS } from "./carriers/sandbox-calls.ts";
import { addDoNotCall } from "./do-not-call/contract.ts";
import { eraseNumber, maskReasons } from "./do-not-call/erase-number.ts";
import { audioType } from "./recordings/audio-store.ts";
import { INBOX_MIGRATIONS } from "./recordings/inbox-ledger.ts";

const provider = z.enum(PROVIDERS);
const fetched = { left: "fetched by the source, to which the carrier reported them" } as const;
const played = { left: "calls of the simulated carrier" } as const;

/** Recordings that are still to be fetched. A move of the account waits until there are none. */
export const INBOX = objectStore({
  migrations: INBOX_MIGRATIONS,
  listing: ONE,
  at: recordingInbox,
  erasedBy: "by the calls in the ledger",
  tables: {
    entries: { by: ["call_id"], columns: ["source_id", "recording"], erasure: "delete", ...fetched },
    done: { nobody: "ids of recordings that were fetched, for a day", ...fetched },
  },
});

export const SANDBOX = objectStore({
  migrations: SANDBOX_MIGRATIONS,
  listing: ONE,
  at: sandboxCarrier,
  sweeps: {
    sandbox: {
      async run(carrier, { number, traces }) {
        return { counts: { other_records: await carrier.erasePerson(number, traces("call")) }, next: null };
      },
    },
  },
  tables: {
    calls: { by: ["phone_number", "call_id"], columns: ["to_number", "talk"], erasure: "delete", ...played },
    reports: { by: ["call_id"], columns: ["body"], erasure: "delete", ...played },
  },
});

/** The audio of calls. */
export const RECORDINGS: BucketStore<"recordings"> = {
  by: ["call_id"],
  found: "by its key, the recording's id, which is in its row in the ledger",
  erasure: "delete",
  backup: "recordings",
  most: MAX_RECORDING_BYTES,
  file: /^([0-9a-f-]{36})$/,
  mediaType: (claimed) => audioType(claimed) ?? "application/octet-stream",
  isListed: async (context, id) => (await new Ledger(context).recording(id)) !== null,
};

/** The tables of D1 with carriers, numbers and the do-not-call list. */
export const PHONE_ROWS = {
  telephony_providers: {
    ...CONFIGURATION,
    copy: true,
    sealed: { credentials: credentialsContext },
    borders: { provider, label },
  },
  phone_numbers: { nobody: "the account's own numbers", copy: true, borders: { e164, provider } },
  call_settings: {
    ...CONFIGURATION,
    copy: true,
    // A change may omit parts of a setting that is stored as a whole.
    borders: Object.assign({}, bodyFields(updateCallSettings), { disclosure: accountDisclosure }),
  },
  do_not_call: {
    by: ["phone_number"],
    columns: ["phone_number", "reason"],
    erasure: "hash",
    copy: true,
    borders: { phone_number: e164, reason: bodyFields(addDoNotCall).reason ?? z.never() },
    sweeps: { do_not_call: hashOptOut },
  },
  // These rows can be found only with the number and the account's key.
  erased_opt_outs: {
    by: ["phone_number"],
    columns: ["id"],
    erasure: "hash",
    copy: true,
    sealed: { sealed: optOutKeyContext },
  },
} as const satisfies Partial<RowTables>;

/** Entries scanned at a time. */
const ENTRIES = 500;
const lastEntry = z.string().nullable();

/** Replaces the number's opt-out by an HMAC, and masks the number in the reasons of other entries. */
async function hashOptOut({ env, store, number }: Erasing, cursor: unknown) {
  if (number === null) return { next: null };
  const after = lastEntry.parse(cursor);
  const opt_outs = after === null ? await eraseNumber({ env, store }, number) : 0;
  const { masked, next } = await maskReasons(store, new NumberMask(number), after ?? "", ENTRIES);
  return { counts: { opt_outs, mentions: masked }, next };
}
