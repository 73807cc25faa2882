import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { app } from "../../src/app.ts";
import { BASE, type Client } from "./client.ts";

/** A response as it arrived, and how much was in memory at once. */
interface InPieces<T> {
  headers: Headers;
  body: T;
  bytes: number;
  /** The length of the longest text that was written as JSON or encoded at once, characters. */
  longestText: number;
  /** The size of the largest result that the database returned, characters of JSON. */
  largestRead: number;
  /** The number of batches that the database ran. */
  reads: number;
}

/** Serves a GET and reads its response piece by piece. */
export async function readInPieces<T>(path: string, { headers }: Client): Promise<InPieces<T>> {
  let [reads, largestRead, longestText, bytes] = [0, 0, 0, 0];
  const { stringify } = JSON;
  const watched = new Proxy(env.DB, {
    get(db, name) {
      const value: unknown = Reflect.get(db, name);
      if (typeof value !== "function") return value;
      if (name !== "batch") return value.bind(db) as unknown;
      return async (...values: unknown[]) => {
        const results: unknown = await Reflect.apply(value, db, values);
        reads += 1;
        largestRead = Math.max(largestRead, stringify(results).length);
        return results;
      };
    },
  });
  const { encode } = TextEncoder.prototype;
  const built = (text: string) => {
    longestText = Math.max(longestText, text.length);
  };
  const spies = [
    vi.spyOn(JSON, "stringify").mockImplementation((value: unknown) => {
      const text = stringify(value);
      if (typeof text === "string") built(text);
      return text;
    }),
    vi.spyOn(TextEncoder.prototype, "encode").mockImplementation(function (this: TextEncoder, text?: string) {
      built(text ?? "");
      return encode.call(this, text);
    }),
  ];
  const response = await app.fetch(new Request(BASE + path, { headers }), { ...env, DB: watched });
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    text += decoder.decode(piece, { stream: true });
  }
  for (const spy of spies) spy.mockRestore();
  return { headers: response.headers, body: JSON.parse(text), bytes, longestText, largestRead, reads };
}
