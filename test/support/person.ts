import { type Answer, Client, call, operator } from "./client.ts";

export const PASSWORD = "correct horse";

export interface SignedIn {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  user: { id: string; email: string };
}

/** A user with a password, created by an operator. */
export interface Person {
  account: string;
  id: string;
  email: string;
  /** The user's first session. */
  client: Client;
  signIn: (password?: string) => Promise<Answer<SignedIn>>;
  /** Signs in again. */
  session: (password?: string) => Promise<Client>;
}

/** Creates a user as an operator and signs in. */
export async function person(account: string, email = `${crypto.randomUUID()}@people.example`): Promise<Person> {
  const path = `/api/admin/v1/accounts/${account}/users`;
  const created = await (await operator()).post<{ id: string }>(path, { email, password: PASSWORD });
  if (created.status !== 201) throw new Error(`user not made: ${created.status} ${JSON.stringify(created.body)}`);
  const signIn = (password = PASSWORD) => call<SignedIn>("POST", "/api/login", { body: { account, email, password } });
  const session = async (password?: string) => {
    const { status, body } = await signIn(password);
    if (status !== 200) throw new Error(`not signed in: ${status} ${JSON.stringify(body)}`);
    return bearer(body.access_token, account);
  };
  return { account, id: created.body.id, email, client: await session(), signIn, session };
}

export function bearer(token: string, account: string): Client {
  return new Client({ authorization: `Bearer ${token}`, "x-account-id": account });
}

/** Returns a password as a generator creates it. */
export function freshPassword(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));
}
