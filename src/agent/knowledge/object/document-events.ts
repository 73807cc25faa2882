import { type NewEvent, newEvent } from "../../../records/events/event.ts";
import type { DocumentState } from "./document-store.ts";

/** Returns the event for a document whose processing ended at `now` (ms). */
export function eventOf({ id, status, reason, language, chunks }: DocumentState, now: number): NewEvent {
  const at = new Date(now).toISOString();
  const data = { document_id: id, language, chunks, url: `/api/v1/knowledge/${id}` };
  return status === "ready"
    ? newEvent("document.ready", at, id, Object.assign(data, { status, reason: null }))
    : newEvent("document.failed", at, id, Object.assign(data, { status: "failed" as const, reason: reason ?? "" }));
}
