import { OperatorApi, type SendRequest } from "../../../src/dev/backup/api.ts";
import { SignedIn } from "../../../src/dev/backup/operator.ts";
import { OPERATOR, PASSWORD } from "../../../src/dev/demo-data.ts";
import { freshFetch } from "../campaigns/service.ts";

const send: SendRequest = (url, { body, ...init }) =>
  freshFetch(
    url,
    body === undefined ? init : { ...init, body: typeof body === "string" ? body : new Uint8Array(body) },
  );

/** Returns a client for the operators' interface of a service, which retries without a pause. */
export async function operatorApi(base: string): Promise<OperatorApi> {
  const code = () => Promise.reject(new Error("no second factor"));
  const who = { email: OPERATOR.email, password: PASSWORD };
  const signedIn = await SignedIn.as(who, { base, send, now: Date.now, code });
  return new OperatorApi(
    base,
    send,
    () => signedIn.headers(),
    async () => {},
  );
}
