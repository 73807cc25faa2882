/** The call that a carrier's event is about: the ids it names. */
interface CallReference {
  provider_call_id: string | null;
  request_id?: string | null;
}

/**
 * Whether a carrier's event is of the call that it has under this id, null where we do not know its id yet. A report
 * that is rightly signed for one call may carry the id of another. Where a call can get another id than its originate
 * was answered with, a report that does not say which originate it belongs to cannot be told apart by ids.
 */
export function speaksOf(providerCallId: string | null, { provider_call_id, request_id }: CallReference): boolean {
  if (providerCallId === null || provider_call_id === null || request_id === null) return true;
  return provider_call_id === providerCallId || request_id === providerCallId;
}
