import { newEvent } from "../events/event.ts";

const pathOf = (id: string) => `/api/v1/webhooks/${id}`;
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "");

interface Of {
  id: string;
  url: string;
}

/**
 * Creates the event of a webhook that disabled itself at `now` (ms). It contains only the host, because addresses may
 * contain secrets.
 */
export function disabledEvent(
  {
    id,
    url,
    reason,
    failingSince,
    beginning,
  }: Of & { reason: "gone" | "failing"; failingSince: number | null; beginning: number },
  now: number,
) {
  const failing_since = failingSince === null ? null : new Date(failingSince).toISOString();
  const data = { webhook_id: id, host: hostOf(url), reason, failing_since, url: pathOf(id) };
  return newEvent("webhook.disabled", new Date(now).toISOString(), id, data, beginning);
}

/**
 * Creates the event of a webhook that missed events: `missed` events after the sequence number `after` were pruned
 * before it read them at `now` (ms).
 */
export function missedEvent({ id, url, missed, after }: Of & { missed: number; after: number }, now: number) {
  const data = { webhook_id: id, host: hostOf(url), missed, url: pathOf(id) };
  return newEvent("webhook.missed", new Date(now).toISOString(), id, data, after);
}
