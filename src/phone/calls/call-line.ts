import type { CallRef } from "../carriers/carrier.ts";

/** How a call of a campaign is reached at its carrier, as its campaign knows it. */
export interface CallLine {
  ref: CallRef;
  provider: string;
  /** The credentials of the call; null for a carrier that has none. */
  credentials_id: string | null;
  over: boolean;
}
