import { shortCircuited } from "../../phone/calls/look-up-calls.ts";
import type { Carrier } from "../../phone/carriers/carrier.ts";
import type { AttemptRow } from "../store/attempt-row.ts";

/** Returns the key that calls with the same carrier and credentials share. */
export function lineKey({ provider, credentials_id }: Pick<AttemptRow, "provider" | "credentials_id">): string {
  return `${provider} ${credentials_id}`;
}

/**
 * The carriers of one round of work. Each is connected once and short-circuited, so that the cost of a carrier that
 * doesn't respond doesn't grow with the number of calls.
 */
export class CarriersOfRound {
  readonly #connect: (attempt: AttemptRow) => Promise<Carrier>;
  readonly #byLine = new Map<string, Promise<Carrier>>();

  constructor(connect: (attempt: AttemptRow) => Promise<Carrier>) {
    this.#connect = connect;
  }

  /** Returns the carrier of the attempt's call. @throws any error of connecting it */
  of(attempt: AttemptRow): Promise<Carrier> {
    const line = lineKey(attempt);
    const known = this.#byLine.get(line);
    if (known) return known;
    const carrier = this.#connect(attempt).then(shortCircuited);
    this.#byLine.set(line, carrier);
    return carrier;
  }
}
