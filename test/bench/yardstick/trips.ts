/**
 * One round trip: to an object that answers from memory, to an object that first writes a row, or to D1 with a batch of
 * statements, each of which reads `rows` rows or writes one.
 */
export type Trip =
  | { to: "object" }
  | { to: "object"; writes: 1 }
  | { to: "d1"; reads: number; rows: number }
  | { to: "d1"; writes: number };

/** A request of the yardstick: it makes its trips one after another and then answers. */
export interface Plan {
  trips: Trip[];
  status: number;
  answer: string;
}

/** How often a request waited for storage. */
export interface RoundTrips {
  /** Batches and single statements at D1's primary. */
  d1: number;
  /** Batches and statements at a replica of D1, which may lag. */
  replica: number;
  /** Calls of Durable Objects. */
  objects: number;
}
