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

/**
 * What an act would do, in the form that a person sees. It also includes whatever the act depends on, such as a
 * revision.
 */
export interface Effect {
  /** The phone numbers that it would reach (E.164), at most ten. */
  to_numbers: string[];
  /** The number of people that it would reach. */
  count: number;
  /** Other details by name in plain English: the agent, the caller's number, a revision. */
  details: Record<string, string | number | boolean | null>;
}

interface Context {
  env: Pick<Bindings, "ACCOUNT_GATE" | "PUBLIC_URL">;
  /** The API key that requests the act. */
  principal: Pick<Principal, "account" | "key" | "callerView" | "scopes" | "role" | "agentIds">;
  /** The current time, ms. */
  now: number;
}

interface Act {
  tool: string;
  /** The arguments as the client sent them. `confirm` is ignored. */
  arguments: Record<string, unknown>;
  effect: Effect;
  /**
   * Versions, such as ETags, of the data on which the act depends. The confirmation is bound to them, but does not show
   * them.
   */
  restsOn?: readonly string[];
}

/** @param summary one sentence that says what would happen, to whom and to how many */
type ProposedAct = Act & { scope: Scope; summary: string };

/** How to confirm an act: with the token `confirm` within five minutes, and at `url` if a person must approve. */
export interface Confirm {
  confirm: string;
  id: string;
  url: string;
  expires_at: string;
}

/**
 * Requests a confirmation for an act of an API key. It is bound to the key, the arguments and the effect, and can be
 * used once within five minutes. @throws ApiError 403 if the key lacks the scope or is no longer valid
 */
export async function requestConfirmation({ env, principal, now }: Context, act: ProposedAct): Promise<Confirm> {
  const { account, callerView } = principal;
  const { scope, tool, effect, summary } = act;
  requireScopes(principal, [scope]);
  const confirm = `confirm_${randomToken()}`;
  const id = uuidv7({ msecs: now });
  const expiresAt = await accountGate(env, account).requestConfirmation({
    id,
    digest: await sha256Hex(confirm),
    key: { hash: keyOf(principal), view: callerView },
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
 * Takes the confirmation of an act, which may then be carried out. `taken` is returned exactly once. `answered` is what
 * the client reports as its user's answer. A yes counts as an approval, and so does the key's `unattended`; a no voids
 * the confirmation, whoever approved it. After `not_approved` it can still be taken while the token is valid.
 * `declined`, `changed` and `unknown` require a new confirmation.
 */
export async function takeConfirmation(
  { env, principal }: Pick<Context, "env" | "principal">,
  { confirm, answered, ...act }: Act & { confirm: string; answered: "yes" | "no" | null },
): Promise<Taken> {
  return accountGate(env, principal.account).takeConfirmation({
    digest: await sha256Hex(confirm),
    key: { hash: keyOf(principal), view: principal.callerView },
    binding: await bindingOf(act),
    answered,
  });
}

/** Hashes everything that is confirmed: a different tool, argument or effect has a different hash. */
function bindingOf({ tool, arguments: all, effect, restsOn = [] }: Act): Promise<string> {
  const { confirm: _, ...args } = all;
  // Serialized as on the wire, where undefined members are absent.
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ tool, arguments: args, effect, restsOn }))));
}

/** @throws TypeError for a console session, whose users confirm acts by doing them */
function keyOf({ key }: Pick<Principal, "key">): string {
  if (key === null) throw new TypeError("only actions of API keys can be confirmed");
  return key;
}

const TOKEN_BYTES = 32;

/** Returns a random text that cannot be guessed. */
const randomToken = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
