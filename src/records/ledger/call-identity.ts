import type { LineEvent } from "./line.ts";

/**
 * Whether a carrier's event is of the call that it has under this id, null where we do not know its id yet. A report
 * that is rightly signed for one call may carry the id of another. Where a call can get another id than its originate
 * was answered with, a report that does not say which originate it belongs to cannot be told apart by ids.
 */
export function speaksOf(
  providerCallId: string | null,
  { provider_call_id, request_id }: Pick<LineEvent, "provider_call_id" | "request_id">,
): boolean {
  if (providerCallId === null || provider_call_id === null || request_id === null) return true;
  return provider_call_id === providerCallId || request_id === providerCallId;
}
