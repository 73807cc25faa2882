import type { Answer, Client } from "../support/client.ts";
import type { Campaign } from "./support.ts";

const encoder = new TextEncoder();

/** A handwritten part of a form: its header lines and its content. */
export interface Part {
  headers: string[];
  content: string | Uint8Array;
}

export const file = (content: Part["content"], name = "contacts"): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"; filename="contacts.csv"`, "Content-Type: text/csv"],
  content,
});

export const field = (name: string, content: string): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  content,
});

/** Returns the bytes of a form. */
export function formBytes(parts: Part[], boundary: string): Uint8Array {
  const pieces = parts.flatMap(({ headers, content }) => [
    encoder.encode(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`),
    typeof content === "string" ? encoder.encode(content) : content,
    encoder.encode("\r\n"),
  ]);
  return concat(...pieces, encoder.encode(`--${boundary}--\r\n`));
}

export function concat(...pieces: (Uint8Array | string | number[])[]): Uint8Array {
  const all = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : Uint8Array.from(piece)));
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of all) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Sends a handwritten form. */
export function sendForm(
  client: Client,
  parts: Part[],
  boundary = "the-boundary",
  type = `multipart/form-data; boundary=${boundary}`,
): Promise<Answer<Campaign>> {
  return client.send<Campaign>("POST", "/api/v1/campaigns", formBytes(parts, boundary), { "content-type": type });
}

/** Sends a list in `pieces` pieces. Each is generated when it is sent, so that the list is never completely in memory. */
export function sendStream(
  client: Client,
  pieces: number,
  piece: (i: number) => Uint8Array | string,
): Promise<Answer<Campaign>> {
  const [head, tail] = new TextDecoder().decode(formBytes([file("|")], "b")).split("|");
  let i = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    pull(controller) {
      if (i < pieces) return controller.enqueue(concat(piece(i++)));
      controller.enqueue(encoder.encode(tail));
      controller.close();
    },
  });
  return client.send("POST", "/api/v1/campaigns", body, { "content-type": "multipart/form-data; boundary=b" });
}
