import { invalid, notFound } from "../../kernel/http/errors.ts";
import { FOUND_ALONE, type ValuedState } from "../../records/analysis/analysis.ts";
import { contactId, contactRow } from "../contact-id.ts";
import type { AttemptRecord, ContactRecord } from "../contract.ts";
import { projectAttempt, projectContact } from "../projection.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import type { ContactFilter, ListedContact } from "../store/contact-listing.ts";
import { rangesOf, wantedBy } from "./contact-search.ts";

export interface ContactSearch extends ContactFilter {
  /** E.164. */
  phone_number?: string | undefined;
  /** A part of a number or of a variable. If it begins with a plus, it is the beginning of a number. */
  search?: string | undefined;
}

/** A requested page. `after` is the ID of a contact. */
export interface ContactQuery extends ContactSearch {
  after?: string | undefined;
  limit: number;
  offset: number;
  /** The states of the values to include; only `found` by default. */
  state?: readonly ValuedState[] | undefined;
}

export interface ContactList extends Omit<ListedContacts, "rows"> {
  contacts: ContactRecord[];
}

export interface ListedContacts {
  rows: ListedContact[];
  /** The total on all pages; null if it wasn't counted. */
  total: number | null;
  /** The contact after which to continue; null if there can't be more matches. */
  next: string | null;
  /** Whether the contacts are too long for one message. Request the rest of the page after the last of them. */
  more: boolean;
}

/** Maximum number of contacts that are counted for a total. */
const MOST_COUNTED = 10_000;

/** Returns a page of the campaign's contacts as clients see them. @throws ApiError 400 if a search has an offset */
export function listContacts(store: CampaignStore, query: ContactQuery): ContactList {
  const { rows, total, next, more } = pageOfContacts(store, query);
  return { contacts: projectContacts(store, rows, query.state), total, next, more };
}

export function projectContacts(
  { campaign, contacts }: CampaignStore,
  rows: readonly ListedContact[],
  states: readonly ValuedState[] = FOUND_ALONE,
): ContactRecord[] {
  const { id, columns } = campaign.existing;
  const names: string[] = JSON.parse(columns);
  const hasZones = rows.some(({ zone }) => zone !== 0);
  const zones = new Map(hasZones ? contacts.zones().map(({ id, name }) => [id, name]) : []);
  return rows.map((row) => projectContact(id, names, row, { timezone: zones.get(row.zone) ?? null, states }));
}

/** Returns a page of the campaign's contacts as they are stored. @throws ApiError 400 if a search has an offset */
export function pageOfContacts(store: CampaignStore, query: ContactQuery): ListedContacts {
  if (query.search !== undefined && query.offset > 0)
    throw invalid("offset: cannot be combined with search; continue with after, the next of the previous page");
  const { id } = store.campaign.existing;
  const after = query.after === undefined ? 0 : (contactRow(id, query.after) ?? Number.MAX_SAFE_INTEGER);
  const searched = query.phone_number !== undefined || query.search !== undefined;
  const { rows, total, next, more } = searched ? found(store, query, after) : paged(store, query, after);
  return { rows, total, next: next === null ? null : contactId(id, next), more };
}

interface Page extends Pick<ListedContacts, "total" | "more"> {
  rows: ListedContact[];
  next: number | null;
}

/** Returns a page filtered by status and outcome, which are indexed. */
function paged({ campaign, listing }: CampaignStore, query: ContactQuery, after: number): Page {
  const row = campaign.existing;
  const { status, outcome, limit, offset } = query;
  const counted = status ? row[status] : row.accepted;
  const total = outcome === undefined ? counted : listing.countOutcome(query, MOST_COUNTED);
  if (total === 0) return { rows: [], total, next: null, more: false };
  const rows = listing.page({ status, outcome, limit, offset, after, overhead: row.columns.length });
  const last = rows.at(-1);
  const rest = last && listing.page({ status, outcome, limit: 1, offset: 0, after: last.id, overhead: 0 });
  const next = last && rest && rest.length > 0 ? last.id : null;
  return { rows, total, next, more: next !== null && rows.length < limit };
}

/**
 * Returns a page of a search by number or text. It uses the index of numbers if that leaves few contacts; otherwise it
 * reads rows up to a limit.
 */
function found({ campaign, listing }: CampaignStore, query: ContactQuery, after: number): Page {
  const { limit } = query;
  const overhead = campaign.existing.columns.length;
  const ranges = campaign.existing.importing ? null : rangesOf(query);
  const wanted = wantedBy(query);
  const inRanges = ranges && listing.inRanges(ranges, query, MOST_COUNTED);
  if (inRanges) {
    // A single number is checked quickly against the other filters, too.
    const indexed =
      inRanges.length === 1 ? inRanges.filter((id) => listing.byIds([id], 0).some(wanted.matches)) : inRanges;
    const left = indexed.filter((id) => id > after);
    const page = left.slice(query.offset, query.offset + limit);
    const rows = listing.byIds(page, overhead);
    const last = rows.at(-1)?.id;
    return { rows, total: indexed.length, next: last === undefined || last === left.at(-1) ? null : last, more: false };
  }
  const { ids, reached } = listing.search(wanted, after, limit);
  // Only one contact can have a number, so there are no further pages.
  const rows = listing.byIds(ids.slice(query.offset), overhead);
  const next = rows.length < ids.length ? (rows.at(-1)?.id ?? null) : reached;
  return { rows, total: query.after === undefined && next === null ? rows.length : null, next, more: false };
}

/**
 * Returns a contact as it is stored, and as clients see it: with its calls and with values in these states. Null if there
 * is none.
 */
export function contactWithCalls(
  { campaign, contacts, listing, attempts }: CampaignStore,
  id: string,
  states: readonly ValuedState[] = FOUND_ALONE,
) {
  const { row } = campaign;
  const at = row && contactRow(row.id, id);
  const [contact] = at ? listing.byIds([at], 0) : [];
  if (!row || !contact) return null;
  const shown = projectContact(row.id, JSON.parse(row.columns), contact, {
    timezone: contacts.zoneName(contact.zone),
    states,
  });
  const calls = attempts.ofContact(contact.id);
  const record: ContactRecord & { attempts: AttemptRecord[] } = { ...shown, attempts: calls.map(projectAttempt) };
  return { contact, record };
}

export function shownContact({ campaign, contacts, listing }: CampaignStore, id: string): ContactRecord {
  const row = contactRow(campaign.existing.id, id);
  const [contact] = row === null ? [] : listing.byIds([row], 0);
  if (!contact) throw notFound("contact");
  const { columns } = campaign.existing;
  return projectContact(campaign.existing.id, JSON.parse(columns), contact, {
    timezone: contacts.zoneName(contact.zone),
  });
}
