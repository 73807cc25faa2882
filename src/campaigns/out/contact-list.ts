import { contactRow } from "../contact-id.ts";
import type { ContactRecord } from "../contract.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { ContactPage } from "../store/contacts.ts";
import { contactView } from "../view.ts";

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
  return { contacts: rows.map((contact) => contactView(row.id, columns, contact)), total, more };
}
