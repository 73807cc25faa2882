type Bare = Record<string, unknown>;

/** Returns the query of the next page; undefined at the end. `count` is the number of items on this page. */
export function nextQuery(query: Bare, body: unknown, count: number): Bare | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { next, total, offset } = body as Bare;
  if ("next" in body) {
    // A repeated cursor would loop forever.
    if (typeof next !== "string" || next === query.after) return undefined;
    const { offset: _, ...rest } = query;
    return { ...rest, after: next };
  }
  if (typeof offset !== "number" || typeof total !== "number" || count === 0) return undefined;
  return offset + count < total ? { ...query, offset: offset + count } : undefined;
}

/** A list of the API: `for await` reads all of it, page by page. */
export class List<Item, Page> implements AsyncIterable<Item> {
  readonly #read: (query: Bare) => Promise<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];
  readonly #query: Bare;

  constructor(read: (query: Bare) => Promise<Page>, itemsOf: (page: Page) => readonly Item[], query: object = {}) {
    this.#read = read;
    this.#itemsOf = itemsOf;
    this.#query = { ...query };
  }

  /** Returns one page as the API gives it, by default the first. `query` selects another: `{ after }`, `{ offset }`. */
  page(query: object = {}): Promise<Page> {
    return this.#read({ ...this.#query, ...query });
  }

  /** Yields one page after another. A page may be empty although more follow. */
  async *pages(): AsyncGenerator<Page, void> {
    let query: Bare | undefined = this.#query;
    while (query) {
      const page: Page = await this.#read(query);
      yield page;
      query = nextQuery(query, page, this.#itemsOf(page).length);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** Returns all items, or the first `max`. */
  async toArray(max = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) if (items.push(item) >= max) break;
    return items;
  }
}
