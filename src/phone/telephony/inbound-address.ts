import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { Provider } from "../carriers/carrier.ts";

/** The path at which carriers announce inbound calls. */
export const INBOUND_PATH = "/api/telephony/inbound/{provider}/{account}";

/** Returns the address at which a carrier announces inbound calls of these credentials. @throws ApiError 503 */
export function inboundAddress(
  env: Pick<Bindings, "PUBLIC_URL">,
  provider: Provider,
  account: string,
  credentialsId: string,
): string {
  const path = INBOUND_PATH.replace("{provider}", provider).replace("{account}", account);
  return `${baseOf(env)}${path}?credentials=${credentialsId}`;
}
