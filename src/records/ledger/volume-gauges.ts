import { earliest } from "../../kernel/durable/alarm.ts";
import type { Gauges } from "../../kernel/durable/gauge-push.ts";
import type { Outbox } from "../../kernel/durable/outbox.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import type { Notices } from "./notices.ts";
import type { RecordRetention } from "./record-retention.ts";
import type { LedgerDestination } from "./records.ts";

/** A deletion that takes longer than this (ms) is late. One that finishes in time is not reported. */
const LATE_MS = MINUTE_MS;

interface Deleting {
  notices: Pick<Notices, "count" | "since">;
  records: Pick<RecordRetention, "since">;
}

/**
 * Returns a function that checks whether, at `now` (ms), records or notices of the volume have waited too long to be
 * deleted.
 */
export function lateness(deleting: Deleting): (now: number) => boolean {
  return (now) => now - (waitingSince(deleting) ?? now) >= LATE_MS;
}

/** Returns the volume's gauges, not counting the `sent` outbox rows that are being delivered. */
export function volumeGauges(
  { sql, outbox, ...deleting }: Deleting & { sql: SqlStorage; outbox: Pick<Outbox<LedgerDestination>, "backlog"> },
  sent: number,
): Required<Gauges> {
  const { rows, parked, since } = outbox.backlog;
  return {
    storage_bytes: sql.databaseSize,
    outbox_rows: rows - sent + deleting.notices.count,
    outbox_parked: parked,
    outbox_since: since,
    call_leases: 0,
    live_leases: 0,
    retention_since: waitingSince(deleting),
  };
}

function waitingSince({ notices, records }: Deleting): number | null {
  return earliest([records.since, notices.since]);
}
