import { shortCircuited } from "../../phone/calls/look-up-calls.ts";
import type { Carrier } from "../../phone/carriers/carrier.ts";
import type { AttemptRow } from "../store/attempt-row.ts";

/** Returns what calls at the same carrier with the same credentials have in common. */
export function lineKey({ provider, credentials_id }: Pick<AttemptRow, "provider" | "credentials_id">): string {
  return `${provider} ${credentials_id}`;
}

/**
 * The carriers of one round of work, each connected once and short-circuited: what a carrier that does not answer costs
 * the round does not grow with the number of calls.
 */
export class CarriersOfRound {
  readonly #connect: (attempt: AttemptRow) => Promise<Carrier>;
  readonly #byLine = new Map<string, Promise<Carrier>>();

  constructor(connect: (attempt: AttemptRow) => Promise<Carrier>) {
    this.#connect = connect;
  }

  /** The carrier of the attempt's call. @throws what connecting it throws */
  of(attempt: AttemptRow): Promise<Carrier> {
    const line = lineKey(attempt);
    const known = this.#byLine.get(line);
    if (known) return known;
    const carrier = this.#connect(attempt).then(shortCircuited);
    this.#byLine.set(line, carrier);
    return carrier;
  }
}
