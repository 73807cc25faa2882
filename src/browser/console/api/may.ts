import { createSignal } from "solid-js";
import type { operations } from "../../../../packages/sdk/src/schema.d.ts";
import { LOOKING_ROLES, missingOfChoice, type ScopeChoice } from "../../../kernel/scopes.ts";
import type { Body } from "./client.ts";
import { OPERATION_SCOPES, OPERATION_SCOPES_IF_NAMED } from "./operation-scopes.ts";

/** An operation of the API, by its name in the OpenAPI document. */
export type Operation = keyof operations;
export type Scope = Body<"CurrentSession">["scopes"][number];
export type Role = Body<"CurrentSession">["role"];

/** The user's identity in the current account; undefined until the service has answered. */
const [authority, setAuthority] = createSignal<Body<"CurrentSession">>();

export { authority, setAuthority };

/** Checks whether the user holds a scope. Use `may` unless the permission depends on more than the operation. */
export const holds = (scope: Scope): boolean => authority()?.scopes.includes(scope) === true;

/** Returns the first scope that the operation requires and the user lacks; undefined if the user may use it. */
export const missingScope = (operation: Operation): Scope | undefined =>
  requiredScopes(operation).find((scope) => !holds(scope)) ?? missingIfNamed(operation);

/** Checks whether the user may use the operation. Controls for other operations are hidden. */
export const may = (operation: Operation): boolean => missingScope(operation) === undefined;

/** Checks whether the user may see what is said in conversations. */
export const seesContent = (): boolean => holds("listen");
/** Checks whether the user may see contacts' columns and full phone numbers. */
export const seesContacts = (): boolean => holds("listen") || holds("dial");

/** Returns the scope that an operation requires in addition for roles that only read and listen. */
function missingIfNamed(operation: Operation): Scope | undefined {
  const choices: Partial<Record<string, ScopeChoice>> = OPERATION_SCOPES_IF_NAMED;
  const { role, scopes } = authority() ?? {};
  if (!role || !scopes || !LOOKING_ROLES.includes(role)) return undefined;
  return missingOfChoice(choices[operation] ?? [], scopes) ?? undefined;
}

function requiredScopes(operation: Operation): readonly Scope[] {
  const required: Partial<Record<string, readonly Scope[]>> = OPERATION_SCOPES;
  return required[operation] ?? [];
}
