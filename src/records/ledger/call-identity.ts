/** The ids by which a carrier's event names its call. */
interface CallReference {
  provider_call_id: string | null;
  request_id?: string | null;
}

/**
 * Checks whether a carrier's event belongs to the call with this id at the carrier; null if the id is not known yet. A
 * report that is correctly signed for one call may carry the id of another. If a call's id can differ from the one in
 * the answer to its originate request, a report that does not name the request cannot be told apart by ids.
 */
export function speaksOf(providerCallId: string | null, { provider_call_id, request_id }: CallReference): boolean {
  if (providerCallId === null || provider_call_id === null || request_id === null) return true;
  return provider_call_id === providerCallId || request_id === providerCallId;
}
