import { accountGate } from "../durable/objects.ts";
import type { Reader } from "../http/pass.ts";

/** How often whoever takes a file is judged anew, ms. */
const JUDGED_EVERY_MS = 1_000;

/**
 * A file as long as whoever asked for it may have it, which can take minutes: it breaks off once their authority is
 * narrowed or gone, so that nobody takes what there is for the whole.
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
