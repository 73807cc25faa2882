import { type Authority, seesContacts } from "../scopes.ts";
import { ApiError } from "./errors.ts";

/** Refuses to look for a phone number to whoever may see none. @throws ApiError 403 */
export function assertMayNameNumbers(authority: Authority, number: string | undefined): void {
  if (number === undefined || seesContacts(authority)) return;
  throw new ApiError(403, "missing_scope", "looking for a phone number requires the scope listen or dial");
}
