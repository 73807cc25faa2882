import { ApiFailure, type Body } from "../api/client.ts";
import { signIn as t } from "../texts/index.ts";
import { isObject } from "../ui/json.ts";

/** Channel on which the last page of the identity provider's window reports the result of the sign-in. */
const CHANNEL = "switchboard-login";
const WINDOW = "popup,width=520,height=720";

/**
 * Lets the user sign in at the identity provider in a separate window. Messages of that window are only accepted while
 * they are awaited. @throws ApiFailure if the service or the provider refuses
 */
export function signInAtProvider(account: string, given: AbortSignal): Promise<Body<"Session">> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = () => {
      channel.close();
      given.removeEventListener("abort", end);
    };
    channel.addEventListener("message", ({ data, origin }: MessageEvent<unknown>) => {
      if (origin !== location.origin) return;
      if (isSession(data)) resolve(data);
      else if (isRefusal(data)) reject(new ApiFailure(data.error.status, data.error.code, data.error.message, ""));
      else return;
      end();
    });
    given.addEventListener("abort", end);
    const query = account === "" ? "" : `?${new URLSearchParams({ account })}`;
    if (open(`/api/login${query}`, "_blank", WINDOW) !== null) return;
    end();
    reject(new Error(t.windowBlocked));
  });
}

type Fields = Record<string, unknown>;

const hasTexts = (value: unknown, ...names: string[]): value is Fields =>
  isObject(value) && names.every((name) => typeof value[name] === "string");

/** Checks whether a message is the session from the service's own page. */
function isSession(value: unknown): value is Body<"Session"> {
  if (!hasTexts(value, "access_token", "account")) return false;
  const { expires_in, user, accounts } = value;
  const areAccounts = Array.isArray(accounts) && accounts.every((each) => hasTexts(each, "name", "display_name"));
  return typeof expires_in === "number" && hasTexts(user, "id", "email", "name") && areAccounts;
}

function isRefusal(value: unknown): value is { error: { status: number; code: string; message: string } } {
  if (!isObject(value) || !hasTexts(value.error, "code", "message")) return false;
  return typeof value.error.status === "number";
}
