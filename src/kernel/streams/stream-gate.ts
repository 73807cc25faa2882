import { accountGate } from "../durable/objects.ts";
import type { StreamGate } from "./open-streams.ts";

/** The account's gate, as the object `id` asks it about its streams. */
export function streamGate(env: Pick<Env, "ACCOUNT_GATE">, account: string, id: string): StreamGate {
  const gate = () => accountGate(env, account);
  return {
    open: (stream, first) => gate().openStream(id, stream, first),
    look: (open, asked) => gate().lookAtStreams(id, open, asked),
    close: (streams) => gate().closeStreams(streams),
  };
}
