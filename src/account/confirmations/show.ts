import { accountGate } from "../../kernel/durable/objects.ts";
import { maskedNumber } from "../../kernel/http/content.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { type Authority, seesContacts } from "../../kernel/scopes.ts";
import type { Confirmation } from "../gate/confirmations.ts";
import type { Effect } from "./confirm.ts";

/** @throws ApiError 404 */
export async function readConfirmation(
  env: Pick<Bindings, "ACCOUNT_GATE">,
  account: string,
  id: string,
): Promise<Confirmation> {
  const found = await accountGate(env, account).confirmation(id);
  if (!found) throw notFound("confirmation");
  return found;
}

export function shownTo(reader: Authority, { key_id, key_name, effect, summary, ...rest }: Confirmation) {
  const { id, tool, scope, status, expires_at } = rest;
  const text = seesContacts(reader) ? (words: string) => words : withoutNumbers;
  const { to_numbers, count, details } = JSON.parse(effect) as Effect;
  return {
    id,
    tool,
    scope,
    status,
    summary: text(summary),
    effect: {
      to_numbers,
      count,
      details: Object.fromEntries(
        Object.entries(details).map(([name, value]) => [name, typeof value === "string" ? text(value) : value]),
      ),
    },
    key: { id: key_id, name: key_name },
    expires_at: new Date(expires_at).toISOString(),
  };
}

/** Masks phone numbers in a text except for their last digits. */
const withoutNumbers = (text: string) => text.replaceAll(/\+\d{7,15}/g, maskedNumber);
