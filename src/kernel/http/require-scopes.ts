import { type Authority, missingScope, type Scope } from "../scopes.ts";
import { ApiError } from "./errors.ts";

/** Refuses a caller who lacks one of the scopes. @throws ApiError 403 */
export function requireScopes({ scopes, role }: Authority, required: readonly Scope[]): void {
  const missing = missingScope(required, scopes);
  if (missing === null) return;
  const who = role === null ? "this API key" : `the role ${role}`;
  throw new ApiError(403, "missing_scope", `this requires the scope ${missing}, which ${who} does not have`);
}
