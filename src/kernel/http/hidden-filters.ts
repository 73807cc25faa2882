import { type Authority, seesContacts, seesContent } from "../scopes.ts";
import { ApiError } from "./errors.ts";

/* Filters must not reveal what a caller may not see: the length of a filtered list would tell. */

/** Refuses a search by phone number without the scope to see numbers. @throws ApiError 403 */
export function assertMayNameNumbers(authority: Authority, number: string | undefined): void {
  if (number === undefined || seesContacts(authority)) return;
  throw new ApiError(403, "missing_scope", "looking for a phone number requires the scope listen or dial");
}

/** Refuses a search by conversations' content without the scope to see it. @throws ApiError 403 */
export function assertMayNameContent(authority: Authority, content: string | object | undefined): void {
  if (content === undefined || seesContent(authority)) return;
  throw new ApiError(403, "missing_scope", "looking for what a conversation holds requires the scope listen");
}
