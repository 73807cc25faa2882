import { z } from "zod";
import { HOUR_MS } from "../../kernel/time.ts";
import { CALL_STATUSES, type CallStatus } from "../../records/ledger/call-status.ts";
import type { CallEvent, CallRef } from "./carrier.ts";
import type { Api } from "./http.ts";
import { machineOf } from "./laml-machine.ts";
import { msOf, placedThen } from "./media.ts";

type Suffixed = { suffix: "" | ".json" };

export const status = z.enum(CALL_STATUSES);
export const call = z.object({
  sid: z.string().min(1),
  status,
  answered_by: z.string().nullish(),
  date_created: z.string().nullish(),
  duration: z.union([z.string(), z.number()]).nullish(),
});
const list = z.object({ calls: z.array(z.unknown()), next_page_uri: z.string().nullish() });

/** Finds a call in the carrier's API; undefined if it can't be determined. */
export async function find(api: Api, { suffix }: Suffixed, ref: CallRef): Promise<z.infer<typeof call> | undefined> {
  if (ref.provider_call_id !== null) {
    const path = `/Calls/${encodeURIComponent(ref.provider_call_id)}${suffix}`;
    const { body } = await api.send({ path, accept: [404] });
    return call.safeParse(body).data;
  }
  // Not filtered by StartTime, which queued calls lack.
  const query = new URLSearchParams({ To: ref.to_number, From: ref.from_number, PageSize: "50" });
  const { body } = await api.send({ path: `/Calls${suffix}?${query}` });
  const calls = (list.safeParse(body).data?.calls ?? []).flatMap((entry) => call.safeParse(entry).data ?? []);
  return placedThen(calls, ({ date_created }) => date_created, ref.placed_at);
}

/** Maximum calls per page and pages read. Calls not found there are looked up one by one. */
const LIST_PAGE_ROWS = 1_000;
const LIST_PAGES = 3;
/** A call in the list takes about 2 KB. */
const LIST_PAGE_BYTES = 4 * 1024 * 1024;

/** Finds calls with known ids in one list, newest first. */
export async function listed(api: Api, { suffix }: Suffixed, refs: CallRef[]): Promise<Map<string, CallEvent>> {
  const wanted = new Map(refs.flatMap(({ provider_call_id: sid, call_id }) => (sid === null ? [] : [[sid, call_id]])));
  const found = new Map<string, CallEvent>();
  // The carrier filters by whole days, clocks differ, and a call may have begun just before midnight.
  const since = new Date(Math.min(...refs.map(({ placed_at }) => placed_at)) - HOUR_MS).toISOString().slice(0, 10);
  let query = new URLSearchParams({ "StartTime>": since, PageSize: String(LIST_PAGE_ROWS) }).toString();
  for (let page = 0; page < LIST_PAGES && found.size < wanted.size && query !== ""; page++) {
    const { body } = await api.send({ path: `/Calls${suffix}?${query}`, max_bytes: LIST_PAGE_BYTES });
    const { data } = list.safeParse(body);
    for (const entry of data?.calls ?? []) {
      const { data: one } = call.safeParse(entry);
      const callId = one && wanted.get(one.sid);
      if (one && callId !== undefined) found.set(callId, stateOf(one));
    }
    // Further pages are addressed by the carrier's token, always at the configured address.
    query = /\?(.*)$/.exec(data?.next_page_uri ?? "")?.[1] ?? "";
  }
  return found;
}

export function stateOf({ sid, status, answered_by, duration }: z.infer<typeof call>): CallEvent {
  return eventOf(sid, status, answered_by ?? "", duration);
}

/** Returns an event of the call with this ID. `seconds` is its duration. */
export function eventOf(
  sid: string,
  status: CallStatus,
  answeredBy: string,
  seconds?: string | number | null,
): CallEvent {
  const machine = machineOf(answeredBy);
  const running = ["queued", "initiated", "ringing", "in-progress"].includes(status);
  return {
    provider_call_id: sid,
    status,
    answered_by: machine ? "machine" : answeredBy === "human" ? "human" : null,
    ...(machine && { machine }),
    reason: running ? "" : status,
    talked_ms: running ? undefined : msOf(seconds),
    recording: null,
  };
}
