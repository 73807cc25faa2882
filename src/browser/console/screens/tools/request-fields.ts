import { isObject } from "../../ui/json.ts";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const AUTHS = ["none", "bearer", "basic", "header"] as const;
export const BODIES = ["none", "json", "form"] as const;

export interface Pair {
  name: string;
  value: string;
}

/** The request of an HTTP tool in the form. Empty texts and undefined are left out of the configuration. */
export interface RequestFields {
  method: (typeof METHODS)[number];
  url: string;
  headers: Pair[];
  query: Pair[];
  auth: (typeof AUTHS)[number];
  /** The credentials of all authentication types, by their names in the configuration. */
  credentials: { token: string; username: string; password: string; name: string; value: string };
  bodyKind: (typeof BODIES)[number];
  /** The JSON body, as it is written. */
  body: string;
  form: Pair[];
  timeout_ms: number | undefined;
  path: string;
  max_chars: number | undefined;
}

/** The credentials that each authentication type uses. */
const CREDENTIALS = {
  none: [],
  bearer: ["token"],
  basic: ["username", "password"],
  header: ["name", "value"],
} as const;

/** Returns the form's fields for a configuration; undefined if the form can't express it. */
export function requestOf(config: unknown): RequestFields | undefined {
  if (!isObject(config)) return undefined;
  const { method = "GET", url = "", headers, query, auth, body, form, timeout_ms, response = {}, ...rest } = config;
  const listedMethod = METHODS.find((each) => each === method);
  const pairs = { headers: pairsOf(headers), query: pairsOf(query), form: pairsOf(form) };
  const signIn = signInOf(auth);
  if (Object.keys(rest).length > 0 || typeof url !== "string" || !listedMethod || !signIn) return undefined;
  if (!pairs.headers || !pairs.query || !pairs.form || (body !== undefined && form !== undefined)) return undefined;
  if (!isObject(response)) return undefined;
  const { path = "", max_chars, ...more } = response;
  if (typeof path !== "string" || Object.keys(more).length > 0) return undefined;
  if (!isNumberOrNothing(timeout_ms) || !isNumberOrNothing(max_chars)) return undefined;
  return {
    method: listedMethod,
    url,
    headers: pairs.headers,
    query: pairs.query,
    ...signIn,
    bodyKind: body !== undefined ? "json" : form !== undefined ? "form" : "none",
    body: body === undefined ? "" : JSON.stringify(body, null, 2),
    form: pairs.form,
    timeout_ms,
    path,
    max_chars,
  };
}

/** Returns the configuration for the form's fields. Incomplete JSON is left out and can't be saved. */
export function configOf(fields: RequestFields): Record<string, unknown> {
  const { method, url, headers, query, auth, credentials, bodyKind, body, form, timeout_ms, path, max_chars } = fields;
  const response = { ...(path !== "" && { path }), ...(max_chars !== undefined && { max_chars }) };
  const signIn = Object.fromEntries(CREDENTIALS[auth].map((name) => [name, credentials[name]]));
  const config = {
    method,
    url,
    headers: recordOf(headers),
    query: recordOf(query),
    auth: auth === "none" ? undefined : { type: auth, ...signIn },
    body: bodyKind === "json" ? parsed(body) : undefined,
    form: bodyKind === "form" ? (recordOf(form) ?? {}) : undefined,
    timeout_ms,
    response: Object.keys(response).length > 0 ? response : undefined,
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

function signInOf(auth: unknown): Pick<RequestFields, "auth" | "credentials"> | undefined {
  const credentials = { token: "", username: "", password: "", name: "", value: "" };
  if (auth === undefined) return { auth: "none", credentials };
  if (!isObject(auth)) return undefined;
  const { type, ...rest } = auth;
  const authType = AUTHS.find((each) => each === type && each !== "none");
  if (!authType || Object.keys(rest).length !== CREDENTIALS[authType].length) return undefined;
  for (const name of CREDENTIALS[authType]) {
    const value = rest[name];
    if (typeof value !== "string") return undefined;
    credentials[name] = value;
  }
  return { auth: authType, credentials };
}

function pairsOf(record: unknown): Pair[] | undefined {
  if (record === undefined) return [];
  if (!isObject(record)) return undefined;
  const pairs: Pair[] = [];
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== "string") return undefined;
    pairs.push({ name, value });
  }
  return pairs;
}

function recordOf(pairs: Pair[]): Record<string, string> | undefined {
  const named = pairs.filter(({ name }) => name !== "");
  return named.length > 0 ? Object.fromEntries(named.map(({ name, value }) => [name, value])) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isNumberOrNothing = (value: unknown): value is number | undefined =>
  value === undefined || typeof value === "number";
