/** A map of at most `most` entries. A new entry in a full map replaces the one that was set the longest time ago. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    const oldest = this.keys().next();
    if (this.size >= this.#most && !oldest.done) this.delete(oldest.value);
    return super.set(key, value);
  }
}
