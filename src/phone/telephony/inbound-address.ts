import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { Provider } from "../carriers/carrier.ts";

/** Where carriers announce calls that come in. */
export const INBOUND_PATH = "/api/telephony/inbound/{provider}/{account}";

/** Where a carrier is to announce calls to the account's numbers that go by these credentials. @throws ApiError 503 */
export function inboundAddress(
  env: Pick<Bindings, "PUBLIC_URL">,
  provider: Provider,
  account: string,
  credentialsId: string,
): string {
  const path = INBOUND_PATH.replace("{provider}", provider).replace("{account}", account);
  return `${baseOf(env)}${path}?credentials=${credentialsId}`;
}
