import { accountGate } from "../durable/objects.ts";
import type { Reader } from "../http/credential.ts";

/** How often the reader's access is checked, ms. */
const JUDGED_EVERY_MS = 1_000;

/**
 * Sends a file while its reader has access, because sending may take minutes. If the access is narrowed or revoked, the
 * stream fails with an error, so that the client notices that the file is incomplete.
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
