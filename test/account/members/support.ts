import { env } from "cloudflare:workers";
import type { Role } from "../../../src/kernel/scopes.ts";
import { type Answer, type Client, call, operator } from "../../support/client.ts";
import { bearer, freshPassword, PASSWORD, type Person, type SignedIn } from "../../support/person.ts";

/** Returns the outcome of a request in short form. */
export const outcome = ({ status, code }: { status: number; code: string | null }) =>
  code ? `${status} ${code}` : String(status);

export interface Member {
  id: string;
  email: string;
  name: string;
  role: Role;
  source: string;
  second_factor: boolean;
  last_seen_at: string | null;
}

export interface Sent {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
  url: string;
  mailed: boolean;
}

export const membersOf = async (client: Client) =>
  (await client.get<{ members: Member[] }>("/api/v1/members")).body.members;

/** Creates an account without members. */
export async function emptyAccount(): Promise<string> {
  const account = `m-${crypto.randomUUID().slice(0, 12)}`;
  const answer = await (await operator()).post("/api/admin/v1/accounts", { name: account, plan: "scale" });
  if (answer.status !== 201) throw new Error(`no account: ${JSON.stringify(answer.body)}`);
  return account;
}

/** Creates a user with a password and this role, and signs them in. An operator creates the user. */
export async function memberAs(account: string, role: Role): Promise<Person> {
  const email = `${role}-${crypto.randomUUID()}@people.example`;
  const path = `/api/admin/v1/accounts/${account}/users`;
  const created = await (await operator()).post<{ id: string }>(path, { email, password: PASSWORD, role });
  const signIn = (password = PASSWORD) => call<SignedIn>("POST", "/api/login", { body: { account, email, password } });
  const session = async (password?: string) => bearer((await signIn(password)).body.access_token, account);
  return { account, id: created.body.id, email, client: await session(), signIn, session };
}

/** Invites a person and returns the link's token. */
export async function invited(by: Client, role: Role, email = `${crypto.randomUUID()}@people.example`) {
  const answer = await by.post<Sent>("/api/v1/invitations", { email, role });
  if (answer.status !== 201) throw new Error(`not invited: ${answer.status} ${JSON.stringify(answer.body)}`);
  return Object.assign(answer.body, { token: tokenIn(answer.body.url) });
}

export const tokenIn = (url: string) => new URL(url).hash.slice(1);

export const accept = (
  token: string,
  body: object = { name: "Grace Hopper", password: freshPassword() },
): Promise<Answer<SignedIn>> =>
  call<SignedIn>("POST", "/api/invitations/accept", { body: Object.assign({ token }, body) });

/** Returns how many rows of a table the account has. */
export async function rowsOf(table: string, account: string): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account = ?`)
    .bind(account)
    .first<{ n: number }>();
  return row?.n ?? -1;
}
