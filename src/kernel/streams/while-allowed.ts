import { accountGate } from "../durable/objects.ts";
import type { Reader } from "../http/pass.ts";

/** How often a reader of a file is judged again, ms. */
const JUDGED_EVERY_MS = 1_000;

/**
 * A file, sent while its reader may have it, which can take minutes: it breaks off with an error once their authority is
 * narrowed or revoked, so that a part cannot pass for the whole.
 */
export function whileAllowed(
  file: ReadableStream<Uint8Array>,
  env: Pick<Env, "ACCOUNT_GATE">,
  account: string,
  reader: Reader,
): ReadableStream<Uint8Array> {
  let judgedAt = Date.now();
  return file.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, controller) {
        if (Date.now() - judgedAt >= JUDGED_EVERY_MS) {
          if (!(await accountGate(env, account).mayStay(reader))) throw new Error("access was revoked");
          judgedAt = Date.now();
        }
        controller.enqueue(piece);
      },
    }),
  );
}
