/**
 * Tokens for jobs of a deployment that run without a person, made by an operator who signs in:
 * `npm run operator-token -- create --name <name> --scope backup --from <address> [--account <name>] [--days 90] --remote URL`,
 * `npm run operator-token -- list --remote URL`, `npm run operator-token -- revoke <id> --remote URL`.
 */
import { parseArgs } from "node:util";
import type { OperatorApi } from "./backup/api.ts";
import { withService } from "./backup/service.ts";
import { failureText } from "./failure.ts";

const USAGE =
  "usage: npm run operator-token -- create --name <name> --scope metrics|accounts|backup --from <address or network> [--account <name>] [--days 90], list, or revoke <id>; each with --remote https://… [--email you@…]";
const PATH = "/api/admin/v1/tokens";

interface Token {
  id: string;
  name: string;
  scopes: string[];
  accounts: string[] | null;
  allowed_addresses: string[];
  expires_at: string;
  last_used_at: string | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: "string" },
    scope: { type: "string", multiple: true, default: [] },
    from: { type: "string", multiple: true, default: [] },
    account: { type: "string", multiple: true },
    days: { type: "string", default: "90" },
    remote: { type: "string" },
    email: { type: "string" },
  },
});
try {
  const { remote: url, email } = values;
  const work = workOf(positionals);
  if (work === null || url === undefined) throw new Error(USAGE);
  await withService({ url, email }, work);
} catch (error) {
  console.error(`operator-token: ${failureText(error)}`);
  process.exit(1);
}

function workOf([verb, id, ...more]: string[]): ((api: OperatorApi) => Promise<void>) | null {
  if (more.length > 0) return null;
  if (verb === "create" && id === undefined && values.name !== undefined) return create;
  if (verb === "list" && id === undefined) return list;
  if (verb === "revoke" && id !== undefined) return (api) => revoke(api, id);
  return null;
}

async function create(api: OperatorApi): Promise<void> {
  const { name, scope: scopes, from: allowed_addresses, account: accounts, days } = values;
  const body = { name, scopes, accounts, allowed_addresses, expires_in_days: Number(days) };
  const { id, token, expires_at } = await api.json<Token & { token: string }>("POST", PATH, body);
  console.error(`operator-token: ${id} is valid until ${expires_at}. The token is not shown again:`);
  // Only the token is written to standard output, so that it can be piped to a store of secrets.
  console.log(token);
}

async function list(api: OperatorApi): Promise<void> {
  const { tokens } = await api.json<{ tokens: Token[] }>("GET", PATH);
  for (const { id, name, scopes, accounts, allowed_addresses, expires_at, last_used_at } of tokens) {
    const of = accounts === null ? "all accounts" : accounts.join(", ");
    const used = last_used_at === null ? "never used" : `used ${last_used_at}`;
    console.log(
      [id, name, scopes.join(", "), of, allowed_addresses.join(", "), `until ${expires_at}`, used].join("; "),
    );
  }
}

async function revoke(api: OperatorApi, id: string): Promise<void> {
  await api.json("DELETE", `${PATH}/${encodeURIComponent(id)}`);
  console.log(`revoked ${id}`);
}
