import { judgeAddress } from "../../../src/kernel/egress/address.ts";
import { type FetchLimits, fetchOut, type OutAnswer } from "../../../src/kernel/egress/fetch-out.ts";
import { EgressRefused, type OutLimits, type OutRequest, openOut } from "../../../src/kernel/egress/open-out.ts";

type Bounds = Pick<OutLimits, "head_ms" | "total_ms" | "idle_ms" | "max_bytes">;
/** A request to send: read whole, or as a stream. */
export type Order =
  | { request: OutRequest; limits: Omit<FetchLimits, "fetch"> }
  | { request: OutRequest; stream: StreamOrder };
/** How a stream is read. */
export interface StreamOrder {
  /** The host that may be requested. */
  host: string;
  bounds: Bounds;
  /**
   * When the caller aborts: once the server reports the request at `/started`, or after this many bytes of the body.
   */
  abort?: "before_head" | number;
  /** The number of other requests to `/sent` that are made after the first chunk, before the rest is read. */
  pauses?: number;
}
/** The outcome of a request. */
export type Outcome =
  | { answer: OutAnswer }
  | { bytes: number; sent: string }
  | { refused: string; reason?: string; bytes?: number };

/** Carries out an order in the current runtime. */
export async function answerOf(order: Order, wire: typeof fetch): Promise<Outcome> {
  let bytes = 0;
  try {
    if ("limits" in order)
      return { answer: await fetchOut(order.request, Object.assign({ fetch: wire }, order.limits)) };
    const { host, bounds, abort, pauses = 0 } = order.stream;
    const caller = new AbortController();
    const rules = { allowed: [host], own: [] };
    const limits: Omit<OutLimits, keyof Bounds> = {
      judge: (address, from) => judgeAddress(address, rules, from),
      redirects: "other_hosts",
      fetch: wire,
      signal: caller.signal,
    };
    const opened = openOut(order.request, Object.assign(limits, bounds));
    if (abort === "before_head") {
      await wire(`http://${host}/started`).then((response) => response.text());
      caller.abort();
    }
    const { body } = await opened;
    let sent = "";
    for await (const chunk of body ?? []) {
      bytes += chunk.length;
      for (let n = 0; sent === "" && n < pauses; n++)
        if (n < pauses - 1) await wire(`http://${host}/sent`).then((response) => response.text());
        else sent = await wire(`http://${host}/sent`).then((response) => response.text());
      if (pauses > 0) break;
      if (typeof abort === "number" && bytes >= abort) caller.abort();
    }
    return { bytes, sent };
  } catch (error) {
    if (!(error instanceof EgressRefused)) return { refused: `unexpected: ${error}` };
    return { refused: error.message, reason: error.reason, bytes };
  }
}
