import { logError } from "../log.ts";
import { currentRequest } from "../observing/request-context.ts";
import type { ListInPieces, Pieces } from "../pieces.ts";

/** The maximum length of an array that is built before it is sent, characters. A longer one is sent while it is built. */
const MOST_WHOLE_CHARS = 4 * 1024 * 1024;
/** The length from which text is sent, characters. */
const CHUNK_CHARS = 64 * 1024;

/** Returns the text of a JSON array: completely if it is short, otherwise as a stream of its pieces. */
export async function jsonArray(
  items: Iterable<unknown[]> | Pieces<unknown>,
  shown: (item: unknown) => unknown,
): Promise<string | Response> {
  const text = listText("[", items, shown, () => "]");
  let built = "";
  for (let next = await text.next(); !next.done; next = await text.next()) {
    built += next.value;
    if (built.length > MOST_WHOLE_CHARS) return streamed(text, built);
  }
  return built;
}

/** Sends an object with a list piece by piece. `page` returns its other fields. It is called after the last item. */
export function jsonPage(
  { name, pieces }: ListInPieces,
  shown: (item: unknown) => unknown,
  page: () => unknown,
): Response {
  const close = () => `],${JSON.stringify(page()).slice(1)}`;
  return streamed(listText(`{${JSON.stringify(name)}:[`, pieces, shown, close), "");
}

async function* listText(
  open: string,
  pieces: Iterable<unknown[]> | Pieces<unknown>,
  shown: (item: unknown) => unknown,
  close: () => string,
): AsyncGenerator<string> {
  let lead = open;
  for await (const items of pieces) {
    for (const item of items) {
      yield `${lead}${JSON.stringify(shown(item))}`;
      lead = ",";
    }
  }
  yield `${lead === open ? open : ""}${close()}`;
}

/** Returns a response that sends `built` and then the rest of the text as it is created. */
function streamed(text: AsyncGenerator<string>, built: string): Response {
  const encoder = new TextEncoder();
  const request_id = currentRequest()?.request_id ?? "";
  let piece = built;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let isDone = false;
      while (!isDone && piece.length < CHUNK_CHARS) {
        const { value, done = false } = await text.next().catch((error: unknown) => {
          // The status has been sent, so the client only sees that the response breaks off.
          logError("request", error, { request_id });
          throw error;
        });
        isDone = done;
        if (!done) piece += value;
      }
      if (piece.length > 0) controller.enqueue(encoder.encode(piece));
      piece = "";
      if (isDone) controller.close();
    },
    async cancel() {
      await text.return(undefined);
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
