/** What an object is composed of: each part has tables of its own, and all share the object's one alarm. */
export interface ObjectPart {
  /** When (ms) there is work to do, null for never. */
  nextAt(): number | null;
  /** Does the work that is due at `now`, ms. One that fails is tried again, and does not hold up the other parts. */
  round(now: number): Promise<void>;
  /** The object was rebuilt at `now`, ms: everything it held in memory is lost, and possibly its alarm. */
  resume?(now: number): void;
}
