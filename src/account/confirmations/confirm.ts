import { base64url } from "jose";
import { v7 as uuidv7 } from "uuid";
import { accountGate } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Scope } from "../../kernel/scopes.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import type { Taken } from "../gate/confirmation-ledger.ts";

/** What an act would do, as a person is shown it; what an act is bound to belongs here too (a revision, say). */
export interface Effect {
  /** The phone numbers it would reach (E.164), ten at most. */
  to_numbers: string[];
  /** How many people it reaches. */
  count: number;
  /** Whatever else there is to know, by its name in plain English: the agent, the caller's number, a revision. */
  details: Record<string, string | number | boolean | null>;
}

interface Context {
  env: Pick<Bindings, "ACCOUNT_GATE" | "PUBLIC_URL">;
  /** An API key. */
  principal: Pick<Principal, "account" | "key" | "view" | "scopes" | "role" | "agentIds">;
  /** ms */
  now: number;
}

interface Act {
  tool: string;
  /** The arguments as the client sent them; `confirm` among them does not count. */
  arguments: Record<string, unknown>;
  effect: Effect;
  /** Versions, such as ETags, of what the act depends on. The confirmation is bound to them; they are not shown. */
  restsOn?: readonly string[];
}

/** @param summary one sentence: what would happen, to whom and to how many */
type ProposedAct = Act & { scope: Scope; summary: string };

/** How an act is confirmed: with `confirm`, within five minutes, and where a person has to agree, at `url`. */
export interface Confirm {
  confirm: string;
  id: string;
  url: string;
  expires_at: string;
}

/**
 * Has an act of an API key wait for its confirmation: bound to the key, its arguments and what it would change, good once
 * and for five minutes. @throws ApiError 403 where the key lacks the scope or is not good any more
 */
export async function requestConfirmation({ env, principal, now }: Context, act: ProposedAct): Promise<Confirm> {
  const { account, view } = principal;
  const { scope, tool, effect, summary } = act;
  requireScopes(principal, [scope]);
  const confirm = `confirm_${randomToken()}`;
  const id = uuidv7({ msecs: now });
  const expiresAt = await accountGate(env, account).requestConfirmation({
    id,
    digest: await sha256Hex(confirm),
    key: { hash: keyOf(principal), view },
    scope,
    tool,
    binding: await bindingOf(act),
    effect: JSON.stringify(effect),
    summary,
  });
  if (expiresAt === null) throw new ApiError(403, "key_revoked", "this API key was revoked or limited meanwhile");
  const url = `${baseOf(env)}/console/confirmations/${id}`;
  return { confirm, id, url, expires_at: new Date(expiresAt).toISOString() };
}

/**
 * Whether an act is confirmed and may be carried out now: `taken` once, and never again. `answered` is what the client
 * reports as its user's answer: a yes counts, as the key's `unattended` does; a no voids the confirmation, whoever
 * approved it. `not_approved` may still become taken while the token is valid; `declined`, `changed` and `unknown` call
 * for a new confirmation.
 */
export async function takeConfirmation(
  { env, principal }: Pick<Context, "env" | "principal">,
  { confirm, answered, ...act }: Act & { confirm: string; answered: "yes" | "no" | null },
): Promise<Taken> {
  return accountGate(env, principal.account).takeConfirmation({
    digest: await sha256Hex(confirm),
    key: { hash: keyOf(principal), view: principal.view },
    binding: await bindingOf(act),
    answered,
  });
}

/** Names what is confirmed: another tool, argument or effect has another name. */
function bindingOf({ tool, arguments: all, effect, restsOn = [] }: Act): Promise<string> {
  const { confirm: _, ...args } = all;
  // As sent over the wire, where undefined members are absent.
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ tool, arguments: args, effect, restsOn }))));
}

/** @throws TypeError for a console session, whose user confirms by acting */
function keyOf({ key }: Pick<Principal, "key">): string {
  if (key === null) throw new TypeError("only what an API key does is confirmed");
  return key;
}

const TOKEN_BYTES = 32;

/** An unguessable text. */
const randomToken = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
