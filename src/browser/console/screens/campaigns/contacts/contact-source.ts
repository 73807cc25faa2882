import { type Accessor, batch, createSignal, onCleanup } from "solid-js";
import type { operations } from "../../../../../../packages/sdk/src/schema.d.ts";
import { api, type Body, data } from "../../../api/client.ts";
import type { Contact } from "./shown-contact.ts";

/** The requested contacts, as the API's parameters. */
export type ContactFilter = Pick<
  NonNullable<operations["listCampaignContacts"]["parameters"]["query"]>,
  "status" | "outcome" | "search"
>;

/** Contacts per request. */
const PAGE = 100;
/** Pages kept; those that were wanted longest ago give way. */
const MAX_PAGES = 60;
/** Rows are loaded once scrolling has paused for this long: dragging the scrollbar skips most of them, ms. */
const SETTLED_MS = 60;

/** A list of contacts of which only the visible part is loaded. */
export interface ContactSource {
  /** How many rows there are, as far as is known; undefined until something is. */
  count: Accessor<number | undefined>;
  /** Whether `count` is all of them. */
  isCounted: Accessor<boolean>;
  /** The contact at a place, once loaded. */
  at(place: number): Contact | undefined;
  /** Says which places are seen: those are loaded, and others given up. */
  want(places: readonly number[]): void;
  /** Loads what is seen again, and forgets the rest. */
  refresh(): void;
  failure: Accessor<unknown>;
}

/** Pages by their number, of a list that can be entered anywhere. */
export function pagedContacts(campaign: string, filter: ContactFilter): ContactSource {
  const pages = new Map<number, Contact[]>();
  const stale = new Set<number>();
  const loading = new Map<number, AbortController>();
  const [count, setCount] = createSignal<number>();
  const [failure, setFailure] = createSignal<unknown>();
  const [version, setVersion] = createSignal(0);
  let wanted = new Set([0]);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const load = async (page: number) => {
    const ended = new AbortController();
    loading.set(page, ended);
    try {
      const query = { ...filter, ...startOf(pages, page), limit: PAGE };
      const found = await listed(campaign, query, ended.signal);
      stale.delete(page);
      pages.delete(page);
      pages.set(page, found.contacts);
      for (const [old] of pages) {
        if (pages.size <= MAX_PAGES) break;
        pages.delete(old);
      }
      setFailure(undefined);
      setCount(found.total ?? Math.max(count() ?? 0, page * PAGE + found.contacts.length));
      setVersion((before) => before + 1);
    } catch (error) {
      if (!ended.signal.aborted) setFailure(() => error);
    } finally {
      if (loading.get(page) === ended) loading.delete(page);
    }
  };
  const loadWanted = () => {
    for (const page of wanted) if ((!pages.has(page) || stale.has(page)) && !loading.has(page)) void load(page);
  };
  loadWanted();
  onCleanup(() => {
    clearTimeout(timer);
    for (const each of loading.values()) each.abort();
  });
  return {
    count,
    isCounted: () => count() !== undefined,
    at(place) {
      version();
      return pages.get(pageOf(place))?.[place % PAGE];
    },
    want(places) {
      wanted = new Set(places.map(pageOf));
      for (const [page, each] of loading) {
        if (wanted.has(page)) continue;
        each.abort();
        loading.delete(page);
      }
      clearTimeout(timer);
      if (pages.size === 0) loadWanted();
      else timer = setTimeout(loadWanted, SETTLED_MS);
    },
    refresh() {
      // An answer still on its way was read before the change.
      for (const each of loading.values()) each.abort();
      loading.clear();
      for (const page of pages.keys()) {
        if (wanted.has(page)) stale.add(page);
        else pages.delete(page);
      }
      loadWanted();
    },
    failure,
  };
}

const pageOf = (place: number) => Math.floor(place / PAGE);

/** Where a page begins: after the nearest loaded one before it, which is fast at any place. */
function startOf(pages: Map<number, Contact[]>, page: number): { after?: string; offset?: number } {
  const before = Math.max(-1, ...[...pages.keys()].filter((each) => each < page));
  const after = pages.get(before)?.at(-1)?.id;
  const offset = (page - (after === undefined ? 0 : before + 1)) * PAGE;
  return { ...(after !== undefined && { after }), ...(offset > 0 && { offset }) };
}

/** The results of a search, which continues where it stopped. */
export function searchedContacts(campaign: string, filter: ContactFilter): ContactSource {
  const [found, setFound] = createSignal<Contact[]>();
  const [failure, setFailure] = createSignal<unknown>();
  const [next, setNext] = createSignal<string | null>(null);
  const ended = new AbortController();
  let isReading = false;
  let isStale = true;
  let wanted = PAGE;

  /** Reads until there is what is wanted: on from where it came to, or from the beginning if that is stale. */
  const read = async () => {
    if (isReading) return;
    isReading = true;
    try {
      while (isStale || (next() !== null && (found()?.length ?? 0) <= wanted)) {
        const isAnew = isStale;
        isStale = false;
        let contacts = isAnew ? [] : (found() ?? []);
        let after = isAnew ? null : next();
        do {
          const query = { ...filter, ...(after !== null && { after }), limit: PAGE };
          const page: Body<"ListCampaignContactsResponse"> = await listed(campaign, query, ended.signal);
          contacts = [...contacts, ...page.contacts];
          after = page.next;
          // The shown rows stay until as many are loaded again, so that nobody is thrown back to the top.
        } while (after !== null && (contacts.length === 0 || (isAnew && found() && contacts.length <= wanted)));
        batch(() => {
          setFound(contacts);
          setNext(after);
          setFailure(undefined);
        });
      }
    } catch (error) {
      if (!ended.signal.aborted) setFailure(() => error);
    } finally {
      isReading = false;
    }
  };
  void read();
  onCleanup(() => ended.abort());
  return {
    count: () => found()?.length,
    isCounted: () => found() !== undefined && next() === null,
    at: (place) => found()?.[place],
    want(places) {
      wanted = Math.max(0, ...places) + PAGE / 2;
      void read();
    },
    refresh() {
      isStale = true;
      void read();
    },
    failure,
  };
}

function listed(
  id: string,
  query: ContactFilter & { after?: string; offset?: number; limit: number },
  signal: AbortSignal,
) {
  return data(api.GET("/api/v1/campaigns/{id}/contacts", { params: { path: { id }, query }, signal }));
}
