import type { Context } from "hono";
import { base64url } from "jose";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ACCOUNT_NAME } from "../../kernel/secrets/api-key.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { isAccount } from "./existing-accounts.ts";

const SECRET_BYTES = 32;

/** Creates a token for a link, `<account>.<secret>`, and its hash. Only the hash is stored. */
export async function mintToken(account: string): Promise<{ token: string; hash: string }> {
  const token = `${account}.${base64url.encode(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;
  return { token, hash: await sha256Hex(token) };
}

/** Returns the account that a token names, if it exists, and the hash by which the link is looked up. */
export async function readToken(c: Context<AppEnv>, token: string): Promise<{ account: string | null; hash: string }> {
  const [account = ""] = token.split(".", 1);
  const isOurs = ACCOUNT_NAME.test(account) && (await isAccount(c, account));
  return { account: isOurs ? account : null, hash: await sha256Hex(token) };
}
