import type { Author } from "../../kernel/db/account-store.ts";
import { giveWay } from "../../kernel/durable/give-way.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import type { FieldError } from "../../kernel/http/errors.ts";
import type { CampaignSettings, StoredSettings } from "../settings.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignEntry } from "../store/campaign-transitions.ts";
import { finishImport, settleImport, showProgress } from "../store/import-transitions.ts";
import type { CopiedContacts } from "../store/repairs.ts";
import type { Choice } from "./outcomes.ts";

export interface Original {
  id: string;
  settings: StoredSettings;
  columns: string[];
}

/** The contacts to copy: none, all, or those of some choices. */
export type ContactChoice = "none" | "all" | Choice[];

export interface CloneOrder {
  original: Original;
  name: string | undefined;
  contacts: ContactChoice;
  author: Author;
  created_by: string;
  reader: Reader;
}

/** The original campaign, with the methods that a clone uses to read it. */
export interface Source {
  cloned(author: Author): Promise<void>;
  copy(after: number, choices: Choice[] | null): Promise<CopiedContacts>;
}

/** Contacts between two progress events. */
const PROGRESS_ROWS = 20_000;
const MOST_NAME_CHARS = 200;
const COPY = " (copy)";

/**
 * Fills a new campaign with another campaign's settings and contacts, in steps. Settings that refer to something the
 * account no longer has are left empty.
 * @throws ApiError 404 if the original is deleted in the meantime
 */
export async function cloneInto(
  store: CampaignStore,
  source: Source,
  { original, name, contacts, author }: CloneOrder,
  missingReference: (named: Partial<CampaignSettings>) => Promise<FieldError[]>,
  now: () => number,
): Promise<void> {
  const entry = { ...campaignEntry(store, "clone", author.actor), detail: original.id };
  store.transaction((write) => write(entry), now());
  await source.cloned(author);
  const columns = contacts === "none" ? original.columns : await copyAll(store, source, contacts, now);
  const { agent_id, agent_version, from_number } = original.settings;
  const hasAgent = (await missingReference({ agent_id })).length === 0;
  const hasVersion = hasAgent && (await missingReference({ agent_id, agent_version })).length === 0;
  const settings: StoredSettings = {
    ...original.settings,
    name: name ?? original.settings.name.slice(0, MOST_NAME_CHARS - COPY.length) + COPY,
    agent_id: hasAgent ? agent_id : null,
    agent_version: hasVersion ? agent_version : "live",
    from_number: (await missingReference({ from_number })).length === 0 ? from_number : null,
  };
  for (const _ of settleImport(store, now)) await giveWay();
  const header = { names: ["phone_number", ...columns], phone: 0, extra: 0 };
  finishImport(store, settings, columns, now(), header);
}

async function copyAll(
  store: CampaignStore,
  source: Source,
  contacts: Exclude<ContactChoice, "none">,
  now: () => number,
): Promise<string[]> {
  let progress = PROGRESS_ROWS;
  for (let after = 0; ; ) {
    const piece = await source.copy(after, contacts === "all" ? null : contacts);
    addCopied(store, piece, now());
    if (store.campaign.existing.accepted >= progress) {
      progress = store.campaign.existing.accepted + PROGRESS_ROWS;
      showProgress(store, now());
    }
    if (piece.next === null) return JSON.parse(piece.columns);
    after = piece.next;
    await giveWay();
  }
}

function addCopied(store: CampaignStore, piece: CopiedContacts, now: number): void {
  if (piece.count === 0) return;
  store.transaction(() => {
    store.repairs.paste(piece, now);
    const { accepted, pending } = store.campaign.existing;
    store.campaign.update({ accepted: accepted + piece.count, pending: pending + piece.count, updated_at: now });
  }, now);
}
