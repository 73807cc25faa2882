import { accountMeter } from "../durable/objects.ts";
import type { StreamGate } from "./open-streams.ts";

/** Returns the account's meter in the form that an object's streams need. */
export function streamGate(
  env: Pick<Env, "ACCOUNT_METER">,
  account: string,
  owner: { type: "conversation" | "campaign" | "events" | "test_run"; id: string },
): StreamGate {
  const meter = () => accountMeter(env, account);
  return {
    open: (stream, first) => meter().openStream(owner, stream, first),
    keep: (open, opening) => meter().keepStreams(owner, open, opening),
    close: (streams) => meter().closeStreams(streams),
  };
}
