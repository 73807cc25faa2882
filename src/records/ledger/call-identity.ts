/** The call that a carrier's event is about: the ids it names. */
interface CallReference {
  provider_call_id: string | null;
  request_id?: string | null;
}

/**
 * Whether a carrier's event belongs to the call that has this id at the carrier; null if we do not know its id yet. A
 * report that is correctly signed for one call may carry the id of another. If a call can get another id than the
 * answer to its originate had, a report that does not name the originate cannot be told apart by ids.
 */
export function speaksOf(providerCallId: string | null, { provider_call_id, request_id }: CallReference): boolean {
  if (providerCallId === null || provider_call_id === null || request_id === null) return true;
  return provider_call_id === providerCallId || request_id === providerCallId;
}
