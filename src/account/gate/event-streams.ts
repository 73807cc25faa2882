import type { Reader } from "../../kernel/http/pass.ts";
import type { AccountQuotas } from "./account-quotas.ts";
import type { Entrance } from "./entrance.ts";

interface Dependencies {
  quotas(): AccountQuotas;
  entrance: Entrance;
}

/** The event streams that the account's campaigns and conversations have open. */
export class EventStreams {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Opens a stream, the `first` in this life of its object. @throws ApiError 429 where the quota is reached */
  async open(object: string, id: string, first: boolean): Promise<void> {
    const quotas = this.#deps.quotas();
    if (first) quotas.keepStreams(object, [], [], Date.now());
    await quotas.openStream(id, object, Date.now);
  }

  /** Keeps the streams that an object has open or has requested; gives those whose reader may not read any more. */
  async look(object: string, open: { id: string; reader: Reader }[], requested: string[]): Promise<string[]> {
    const { quotas, entrance } = this.#deps;
    const ids = open.map(({ id }) => id);
    quotas().keepStreams(object, ids, requested, Date.now());
    const may = await Promise.all(open.map(({ reader }) => entrance.mayStay(reader, Date.now())));
    return ids.filter((_, n) => !may[n]);
  }
}
