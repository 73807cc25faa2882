import type { Variables } from "./runtime.ts";

type Environment = Record<string, string | undefined>;

/**
 * Returns the environment of a service on this machine. By default it writes no line for each request, and does not
 * trust the header with a client's address, which any client could send here.
 */
export function localEnvironment(env: Environment): Environment {
  return Object.assign({ REQUEST_LINES: "off", TRUST_CONNECTING_IP: "off" }, env);
}

/**
 * Returns the settings of a service on this machine. Its address is this machine's unless PUBLIC_URL names another,
 * such as a tunnel. The allowed hosts protect against pages of other sites whose host names point to this machine.
 * @throws Error with a sentence if PUBLIC_URL is not an address
 */
export function localSettings(
  { PUBLIC_URL, ALLOWED_HOSTS, TOOL_HOSTS, ...settings }: Variables,
  base: string,
): Variables {
  const address = PUBLIC_URL || base;
  if (!URL.canParse(address))
    throw new Error(`PUBLIC_URL must be an address such as https://api.example.com, not ${address}`);
  const hosts = ["localhost", "127.0.0.1", "[::1]", new URL(address).hostname];
  return {
    ...settings,
    OPERATOR_SECOND_FACTOR: "off",
    PUBLIC_URL: address,
    ALLOWED_HOSTS: ALLOWED_HOSTS || [...new Set(hosts)].join(","),
    // Tools may request none of the service's own addresses except the vendors' stand-ins.
    TOOL_HOSTS: [`${new URL(base).host}/demo/vendor/`, TOOL_HOSTS].filter(Boolean).join(","),
  };
}
