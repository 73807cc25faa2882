import type { Delivery, StoredAttempt } from "./deliveries.ts";

/** A delivery as clients see it. */
export interface DeliveryRecord {
  id: string;
  event_id: string;
  type: string;
  status: Delivery["status"];
  created_at: string;
  attempts: (Omit<StoredAttempt, "at"> & { at: string })[];
  next_attempt_at: string | null;
}

/** @param holdUntil until when (ms) nothing is sent to the receiver, even if deliveries are due */
export function recordOf(
  { id, event_id, type, status, created_at, next_at }: Delivery,
  attempts: readonly StoredAttempt[],
  holdUntil: number,
): DeliveryRecord {
  return {
    id,
    event_id,
    type,
    status,
    created_at: iso(created_at),
    attempts: attempts.map(({ at, status_code, duration_ms, error, response }) => {
      return { at: iso(at), status_code, duration_ms, error, response };
    }),
    next_attempt_at: next_at === null ? null : iso(Math.max(next_at, holdUntil)),
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
