import { type Authority, seesContacts, seesContent } from "../scopes.ts";
import { ApiError } from "./errors.ts";

/* Filters must not reveal what a caller may not see, for example through the length of a filtered list. */

/** Refuses a search by phone number if the caller may not see numbers. @throws ApiError 403 */
export function assertMayNameNumbers(authority: Authority, number: string | undefined): void {
  if (number === undefined || seesContacts(authority)) return;
  throw new ApiError(403, "missing_scope", "searching for a phone number requires the scope listen or dial");
}

/** Refuses a search by the content of conversations if the caller may not see it. @throws ApiError 403 */
export function assertMayNameContent(authority: Authority, content: string | object | undefined): void {
  if (content === undefined || seesContent(authority)) return;
  throw new ApiError(403, "missing_scope", "searching for the content of conversations requires the scope listen");
}
