import { Switchboard, SwitchboardError, type SwitchboardOptions } from "../../packages/sdk/src/index.ts";
import { PASSWORD } from "./demo-data.ts";
import { failureText } from "./failure.ts";

/** The network's `fetch`, or that of a runtime without an address. */
export type Fetch = NonNullable<SwitchboardOptions["fetch"]>;

/**
 * Signs in with the demo password, and returns a client that acts as this user.
 * @throws SwitchboardError
 */
export async function signIn(
  baseUrl: string,
  who: { account: string; email: string },
  fetch?: Fetch,
): Promise<Switchboard> {
  const { account, email } = who;
  const body = { account, email, password: PASSWORD };
  const { access_token } = await new Switchboard({ baseUrl, fetch }).request("POST", "/api/login", { body });
  return new Switchboard({ baseUrl, apiKey: access_token, account, fetch });
}

/** Returns the key of a new credential, which the service shows once. @throws Error if the response with it was lost */
export function shown({ key }: { key: string | null }): string {
  if (key === null) throw new Error("the response with the new key was lost; run the command again");
  return key;
}

/** Returns the message of a failed script, or how to start the service if it is not running. */
export function explain(error: unknown, base: string): string {
  if (error instanceof SwitchboardError && error.code === "unreachable")
    return `Switchboard is not running at ${base}. Start it with: npm start`;
  return failureText(error);
}
