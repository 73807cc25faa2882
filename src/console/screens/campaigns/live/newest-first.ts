/** A row of the list: a contact that is known by its id, or whoever is at this place of the file. */
export interface Row {
  place: number;
  id?: string | undefined;
}

/** The order of a list in which contacts that changed come first, the newest change before all, then the others. */
export class NewestFirst {
  /** Contacts that changed, the newest last. */
  readonly #changed: string[];
  /** Where they are in the file, sorted. */
  readonly #places: number[];
  readonly #placeOf: (id: string) => number;
  /** How often a contact changed, by which two orders are told apart. */
  moves: number;

  constructor(placeOf: (id: string) => number, changed: string[] = [], places: number[] = [], moves = 0) {
    this.#placeOf = placeOf;
    this.#changed = changed;
    this.#places = places;
    this.moves = moves;
  }

  /** How many have changed. */
  get size(): number {
    return this.#changed.length;
  }

  /** The order as it is now, which stays. */
  copy(): NewestFirst {
    return new NewestFirst(this.#placeOf, [...this.#changed], [...this.#places], this.moves);
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
      const place = this.#placeOf(id);
      this.#places.splice(this.#before(place), 0, place);
    }
    this.#changed.push(id);
  }

  /** Forgets the change that is longest ago. */
  dropOldest(): void {
    const id = this.#changed.shift();
    if (id === undefined) return;
    const at = this.#before(this.#placeOf(id));
    this.#places.splice(at, 1);
  }

  /** The row at an index of the order. */
  at(index: number): Row {
    const id = this.#changed[this.#changed.length - 1 - index];
    if (id !== undefined) return { id, place: this.#placeOf(id) };
    const nth = index - this.#changed.length;
    // The place that has `nth` others before it which have not changed.
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#places[middle] ?? 0) - middle > nth) high = middle;
      else low = middle + 1;
    }
    return { place: nth + low };
  }

  /** How many places are below this one. */
  #before(place: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#places[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
