import type { Door } from "../../kernel/http/context.ts";
import type { OperatorTerms } from "../../kernel/http/credential.ts";
import { ApiError } from "../../kernel/http/errors.ts";

/**
 * Limits an operator's token to its scopes and, if the path names an account, to its accounts. Endpoints without
 * operator scopes refuse all such tokens. @throws ApiError 403
 */
export function assertTokenMay(terms: OperatorTerms, { operatorScopes = [] }: Door, account: string | undefined): void {
  if (operatorScopes.length === 0)
    throw new ApiError(403, "console_required", "this requires a console sign-in; an operator token is not enough");
  if (!operatorScopes.some((scope) => terms.scopes.includes(scope))) {
    const message = `this requires the scope ${operatorScopes.join(" or ")}, which this operator token does not have`;
    throw new ApiError(403, "missing_scope", message);
  }
  if (account !== undefined && !isFor(terms, account)) throw notFor();
}

/** Checks whether a caller with these terms may see the account. A caller without terms may. */
export function isFor(terms: OperatorTerms | null, account: string): boolean {
  return terms === null || terms.accounts === null || terms.accounts.includes(account);
}

export const notFor = () => new ApiError(403, "account_not_allowed", "this operator token is for other accounts");

/** The fields of an account that a token may change; none of them affects who has access. */
const CHANGED_BY_TOKENS = ["plan", "caps", "quotas"];

/** @throws ApiError 403 if a token would change a field of an account that tokens may not change */
export function assertTokenChanges(terms: OperatorTerms | null, body: object): void {
  const other = terms && Object.keys(body).find((field) => !CHANGED_BY_TOKENS.includes(field));
  if (other == null) return;
  const message = `${other} can only be changed in a console session; an operator token can only change ${CHANGED_BY_TOKENS.join(", ")}`;
  throw new ApiError(403, "console_required", message);
}
