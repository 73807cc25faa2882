import type { CampaignStore } from "./campaign-store.ts";
import { campaignEntry, contactEntry } from "./campaign-transitions.ts";
import { type ErasureRow, NOTHING_ERASED } from "./erasures.ts";
import { ERASED } from "./history-rewriting.ts";
import type { ErasedNumbers } from "./person-rows.ts";
import { maskJson, maskText, SWEEP_START, type SweepCursor } from "./row-sweep.ts";
import { uploadOf } from "./upload-position.ts";

/** Settings with the account's own number, agent and times, which name no person. */
const OWN_SETTINGS = new Set(["from_number", "agent_id", "agent_version", "scheduled_at", "schedule_config"]);

/**
 * Erases the person's own rows in one transaction, so that they are no longer called or shown. Their calls must be
 * over. `eraseSome` erases the number in all other places.
 */
export function beginErasure(store: CampaignStore, id: string, { digits, masks }: ErasedNumbers, now: number): void {
  const { persons, erasures, contacts, campaign } = store;
  store.transaction((write) => {
    const found = persons.find(digits);
    const pending = persons.eraseContacts(found.contacts, (text) => maskText(masks, text), now);
    const attempts = persons.eraseAttempts(found.contacts) + persons.eraseFormerAttempts(found.formerly, digits);
    persons.eraseEarlierNumbers(found.contacts, digits);
    for (const row of pending) {
      campaign.move("pending", "cancelled");
      const contact = contacts.get(row);
      if (contact) write(contactEntry(Object.assign(contact, { status: "pending" }), "cancelled", null, null, ERASED));
    }
    if (found.contacts.length > 0) campaign.update({ updated_at: now });
    const counts = { ...NOTHING_ERASED, contacts: found.contacts.length, contact_attempts: attempts };
    counts.mentions += maskCampaign(store, masks);
    erasures.put({
      id,
      contacts: found.contacts,
      formerly: found.formerly,
      counts,
      cursor: { history: 0 },
      rewritten_from: null,
      rewriting: found.contacts.length + found.formerly.length > 0,
      done: false,
    });
  }, now);
}

/**
 * Does the next step of an erasure, over `rows` rows: the history first, then the tables. Returns true once nothing is
 * left.
 */
export function eraseSome(
  store: CampaignStore,
  id: string,
  { masks }: ErasedNumbers,
  rows: number,
  now: number,
): boolean {
  const erasure = store.erasures.get(id);
  if (!erasure || erasure.cursor === null) return true;
  if ("history" in erasure.cursor) rewriteSome(store, erasure, erasure.cursor.history, { masks, rows }, now);
  else sweepSome(store, erasure, erasure.cursor, { masks, rows }, now);
  return erasure.cursor === null;
}

type StepSize = Pick<ErasedNumbers, "masks"> & { rows: number };

function rewriteSome(store: CampaignStore, erasure: ErasureRow, after: number, { masks, rows }: StepSize, now: number) {
  store.transaction((write) => {
    const contacts = new Set([...erasure.contacts, ...erasure.formerly]);
    const rewriting = { masks, contacts, from: erasure.rewritten_from };
    const { from, entries, next, hash } = store.rewriting.step(after, rewriting, rows);
    erasure.counts.history_entries += entries;
    erasure.rewritten_from = from;
    erasure.rewriting = next !== null && (erasure.rewriting || from !== null);
    erasure.cursor = next === null ? SWEEP_START : { history: next };
    store.erasures.put(erasure);
    if (next !== null || from === null) return;
    store.campaign.update({ hash });
    write({ ...campaignEntry(store, "history_rewritten", null), detail: `${erasure.id}: ${from}` });
  }, now);
}

function sweepSome(
  store: CampaignStore,
  erasure: ErasureRow,
  cursor: SweepCursor,
  { masks, rows }: StepSize,
  now: number,
) {
  store.transaction(() => {
    const uploads = store.rejects.uploads();
    const phoneColumn = (row: number) => uploads.get(uploadOf(row))?.phone ?? null;
    const sought = { masks, contacts: new Set(erasure.contacts), phoneColumn };
    const { masked, next } = store.sweep.step(cursor, sought, rows);
    const isImported = cursor.table === "rejects" || cursor.table === "duplicates";
    erasure.counts[isImported ? "import_rows" : "mentions"] += masked;
    erasure.cursor = next;
    store.erasures.put(erasure);
  }, now);
}

/** Masks numbers in the campaign's own row: its name, columns, and examples in what its uploads assumed. */
function maskCampaign({ campaign }: CampaignStore, masks: ErasedNumbers["masks"]): number {
  const { settings, columns, assumed } = campaign.existing;
  const named = Object.entries(JSON.parse(settings)).map(([name, value]) => [
    name,
    OWN_SETTINGS.has(name) ? value : JSON.parse(maskJson(masks, JSON.stringify(value))),
  ]);
  const masked = {
    settings: JSON.stringify(Object.fromEntries(named)),
    columns: maskJson(masks, columns),
    assumed: assumed && maskJson(masks, assumed),
  };
  if (masked.settings === settings && masked.columns === columns && masked.assumed === assumed) return 0;
  campaign.update(masked);
  return 1;
}
