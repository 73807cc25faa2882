import { contactRow } from "../contact-id.ts";
import type { AttemptRecord, ContactRecord } from "../contract.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { ContactPage, ContactRow } from "../store/contacts.ts";
import { attemptView, contactView } from "../view.ts";

/** A page as it is asked for: `after` is the id of a contact. */
export type ContactQuery = Omit<ContactPage, "after" | "overhead"> & { after?: string | undefined };

export interface ContactList {
  contacts: ContactRecord[];
  total: number;
  /** The contacts are too long for one message: the rest of the page is to be asked for from the last of them on. */
  more: boolean;
}

/** A page of the campaign's contacts. */
export function listContacts({ campaign, contacts }: CampaignStore, query: ContactQuery): ContactList {
  const row = campaign.known;
  const after = query.after === undefined ? undefined : (contactRow(row.id, query.after) ?? Number.MAX_SAFE_INTEGER);
  const total = query.status ? row[query.status] : row.accepted;
  const rows = total === 0 ? [] : contacts.page({ ...query, after, overhead: row.columns.length });
  const last = rows.at(-1);
  const rest = { status: query.status, limit: 1, offset: 0, after: last?.id };
  const more = last !== undefined && rows.length < query.limit && contacts.page(rest).length > 0;
  const columns: string[] = JSON.parse(row.columns);
  const zones = new Map(rows.some(({ zone }) => zone !== 0) ? contacts.zones().map(({ id, name }) => [id, name]) : []);
  const shown = rows.map((contact) => contactView(row.id, columns, contact, zones.get(contact.zone)));
  return { contacts: shown, total, more };
}

/** A contact with its calls, as stored and as clients see it; null where there is none. */
export function contactWithCalls({ campaign, contacts, attempts }: CampaignStore, id: string) {
  const { row } = campaign;
  const at = row && contactRow(row.id, id);
  const contact: ContactRow | undefined = at ? contacts.get(at) : undefined;
  if (!row || !contact) return null;
  const calls = attempts.ofContact(contact.id);
  const latest = calls.find(({ call_id }) => call_id === contact.call_id);
  const { conversation_id = null, disposition = null } = latest ?? {};
  const listed = { ...contact, conversation_id, disposition };
  const shown = contactView(row.id, JSON.parse(row.columns), listed, contacts.zoneName(contact.zone));
  const record: ContactRecord & { attempts: AttemptRecord[] } = { ...shown, attempts: calls.map(attemptView) };
  return { contact, record };
}
