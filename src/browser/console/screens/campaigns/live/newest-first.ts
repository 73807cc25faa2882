/** A row of the list: the contact at this place, from 0, with its id if known. */
export interface Row {
  place: number;
  id?: string | undefined;
}

/** The order of a list in which contacts that changed come first, the newest change before all, then the others. */
export class NewestFirst {
  /** Contacts that changed, the newest last. */
  readonly #changed: Row[];
  /** The places of the same ones, in order. */
  readonly #places: number[];
  /** How many changes there were, which distinguishes two orders. */
  moves: number;

  constructor(changed: Row[] = [], places: number[] = [], moves = 0) {
    this.#changed = changed;
    this.#places = places;
    this.moves = moves;
  }

  /** How many have changed. */
  get size(): number {
    return this.#changed.length;
  }

  /** A copy of the current order. */
  copy(): NewestFirst {
    return new NewestFirst([...this.#changed], [...this.#places], this.moves);
  }

  /** The contact has changed. */
  touch(row: Row, isListed: boolean): void {
    this.moves++;
    if (isListed) {
      // A contact that changes has usually changed just before.
      const at = this.#changed.findLastIndex(({ place }) => place === row.place);
      if (at === this.#changed.length - 1) return;
      this.#changed.splice(at, 1);
    } else {
      this.#places.splice(this.#before(row.place), 0, row.place);
    }
    this.#changed.push(row);
  }

  /** Drops the oldest change. */
  dropOldest(): void {
    const oldest = this.#changed.shift();
    if (oldest) this.#places.splice(this.#before(oldest.place), 1);
  }

  /** The row at an index of the order. */
  at(index: number): Row {
    const changed = this.#changed[this.#changed.length - 1 - index];
    if (changed) return changed;
    const nth = index - this.#changed.length;
    // The place that has `nth` others before it which have not changed.
    return { place: nth + this.#firstWhere((place, before) => place - before > nth) };
  }

  /** How many of those that changed are before this place. */
  #before(at: number): number {
    return this.#firstWhere((place) => place >= at);
  }

  /** The first index at which the condition holds, given that it holds everywhere after. */
  #firstWhere(holds: (place: number, index: number) => boolean): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#places[middle] ?? 0, middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
