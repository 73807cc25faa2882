/** A row of the list: a contact that is known by its id, or whoever is at this place of the file. */
export interface Row {
  place: number;
  id?: string | undefined;
}

/** The order of a list in which contacts that changed come first, the newest change before all, then the others. */
export class NewestFirst {
  /** Contacts that changed, the newest last. */
  readonly #changed: string[];
  /** The same ones in the order of the list, which is that of their ids; where each is may be learned only later. */
  readonly #inOrder: string[];
  readonly #placeOf: (id: string) => number;
  /** How often a contact changed, by which two orders are told apart. */
  moves: number;

  constructor(placeOf: (id: string) => number, changed: string[] = [], inOrder: string[] = [], moves = 0) {
    this.#placeOf = placeOf;
    this.#changed = changed;
    this.#inOrder = inOrder;
    this.moves = moves;
  }

  /** How many have changed. */
  get size(): number {
    return this.#changed.length;
  }

  /** The order as it is now, which stays. */
  copy(): NewestFirst {
    return new NewestFirst(this.#placeOf, [...this.#changed], [...this.#inOrder], this.moves);
  }

  /** The contact has changed. */
  touch(id: string, isKnown: boolean): void {
    this.moves++;
    if (isKnown) {
      // Who changes has mostly changed just before.
      const at = this.#changed.lastIndexOf(id);
      if (at === this.#changed.length - 1) return;
      this.#changed.splice(at, 1);
    } else {
      this.#inOrder.splice(this.#before(id), 0, id);
    }
    this.#changed.push(id);
  }

  /** Forgets the change that is longest ago. */
  dropOldest(): void {
    const id = this.#changed.shift();
    if (id === undefined) return;
    this.#inOrder.splice(this.#before(id), 1);
  }

  /** The row at an index of the order. */
  at(index: number): Row {
    const id = this.#changed[this.#changed.length - 1 - index];
    if (id !== undefined) return { id, place: this.#placeOf(id) };
    const nth = index - this.#changed.length;
    // The place that has `nth` others before it which have not changed.
    const before = this.#firstWhere((changed, index) => this.#placeOf(changed) - index > nth);
    return { place: nth + before };
  }

  /** How many of those that changed are before this one in the list. */
  #before(id: string): number {
    return this.#firstWhere((changed) => changed >= id);
  }

  /** The index of the first of those in order for which it holds, as it does for all after that one. */
  #firstWhere(holds: (id: string, index: number) => boolean): number {
    let [low, high] = [0, this.#inOrder.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#inOrder[middle] ?? "", middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
