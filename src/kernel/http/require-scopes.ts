import {
  type Authority,
  LOOKING_ROLES,
  missingOfChoice,
  missingScope,
  type Scope,
  type ScopeChoice,
} from "../scopes.ts";
import type { Principal } from "./context.ts";
import { ApiError } from "./errors.ts";

/** Refuses a caller who lacks one of the scopes. @throws ApiError 403 */
export function requireScopes(authority: Authority, required: readonly Scope[]): void {
  const missing = missingScope(required, authority.scopes);
  if (missing !== null) throw lacks(authority, missing);
}

/**
 * Refuses a caller with deliberately narrow authority (a viewer, an analyst, or an API key whose scopes were chosen)
 * who does not have all scopes of at least one of the lists.
 * @throws ApiError 403
 */
export function requireScopesIfNamed(principal: Principal, choice: ScopeChoice = []): void {
  const { role, keyTerms, scopes } = principal;
  const isNarrow = role === null ? keyTerms?.scopesNamed === true : LOOKING_ROLES.includes(role);
  if (isNarrow && missingOfChoice(choice, scopes) !== null) throw lacks(principal, choiceWords(choice));
}

/** Formats the lists for errors and the reference: `build`, `runtime or manage`, `build and dial or manage`. */
export const choiceWords = (choice: ScopeChoice, word = (scope: Scope): string => scope): string =>
  choice.map((required) => required.map(word).join(" and ")).join(" or ");

function lacks({ role }: Authority, required: string): ApiError {
  const who = role === null ? "this API key" : `the role ${role}`;
  return new ApiError(403, "missing_scope", `this requires the scope ${required}, which ${who} does not have`);
}
