/**
 * Which place of the list, from 0, a contact is at. Ids of a campaign's contacts end in a number that counts up in the
 * order of the list; numbers are missing where rows were dropped as duplicates, which shows where the list is read.
 */
export class Places {
  /** Where so many numbers are missing before, in order; from one to the next it is the same. */
  readonly #missing: { from: number; count: number }[] = [];

  /** The contact was seen at this place. */
  learn(place: number, id: string): void {
    const number = numberOf(id);
    const count = number - 1 - place;
    const at = this.#before(number);
    if ((this.#missing[at]?.count ?? 0) === count) return;
    this.#missing.splice(at + 1, 0, { from: number, count });
  }

  /** Exact where the list before it was seen, or has no duplicates; close to it elsewhere. */
  of(id: string): number {
    const number = numberOf(id);
    return Math.max(0, number - 1 - (this.#missing[this.#before(number)]?.count ?? 0));
  }

  /** The last entry at or before the number, -1 for none. */
  #before(number: number): number {
    return this.#missing.findLastIndex(({ from }) => from <= number);
  }
}

const numberOf = (id: string) => Number.parseInt(id.slice(-8), 16);
