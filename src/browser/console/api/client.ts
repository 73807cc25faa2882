import {
  type Authorization,
  type FieldError,
  type Init,
  type Method,
  type PathOf,
  type SwitchboardError,
  Transport,
} from "../../../../packages/sdk/src/index.ts";
import type { components } from "../../../../packages/sdk/src/schema.d.ts";

/** The bodies of the API by their names in its OpenAPI document. */
export type Body<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** The caller's identity, sent along with every request. */
export interface Credentials {
  access_token: string;
  account: string;
}

export type { FieldError as WrongField };

/** The service said no, or could not be reached (status 0). */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly fields: FieldError[];
  /** Who made the change that the request would have overwritten, and when (412). */
  changed: { by: string | null; at: string | null } | undefined;
  /** Completes a sign-in together with a code of the second factor; "" if none is required. */
  ticket = "";
  /** After how many seconds to retry; 0 if the service did not say. */
  retryAfterS = 0;

  constructor(status: number, code: string, message: string, requestId: string, fields: FieldError[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
  }

  /** Whether the same request may well succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether the session was refused, so that the same request may succeed once its user has signed in or set up a factor. */
  get ofSession(): boolean {
    return this.status === 401 || this.code === FACTOR_MISSING;
  }
}

/** The account requires a second factor, and the session has shown none. */
const FACTOR_MISSING = "second_factor_missing";

/** What the client needs from the session. */
interface Session {
  /** The caller, with a token that has not expired if it can be renewed. @throws ApiFailure */
  credentials(): Promise<Credentials | undefined>;
  /** The service no longer accepts these credentials. */
  refused(credentials: Credentials): void;
  /** The service accepts them only for setting up a second factor. */
  factorMissing(credentials: Credentials): void;
  /** The user lacks a scope that the console took them to have. */
  lacked(): void;
}

let session: Session = {
  credentials: () => Promise.resolve(undefined),
  refused: () => undefined,
  factorMissing: () => undefined,
  lacked: () => undefined,
};

/** Names who holds the session; the client has none of its own. */
export function useSession(holder: Session): void {
  session = holder;
}

function authorizationOf(credentials: Credentials | undefined): Authorization {
  const headers: Record<string, string> = {};
  if (credentials) {
    headers.authorization = `Bearer ${credentials.access_token}`;
    headers["x-account-id"] = credentials.account;
  }
  return { headers, failed: (error) => refuse(failureOf(error), credentials) };
}

/** Judges what a failure says of the session. @throws ApiFailure, always */
function refuse(failure: ApiFailure, credentials: Credentials | undefined): never {
  // The account is one of the session's: who is refused there is no longer a member.
  const isRefused = failure.status === 401 || failure.code === "account_mismatch";
  if (credentials && isRefused) session.refused(credentials);
  if (credentials && failure.code === FACTOR_MISSING) session.factorMissing(credentials);
  if (failure.code === "missing_scope") session.lacked();
  throw failure;
}

/** Sends as somebody; what fails is tried again by the cache of queries, and by nobody else. */
const sendAs = (credentials: () => Promise<Credentials | undefined>) =>
  new Transport({
    baseUrl: "",
    authorize: async () => authorizationOf(await credentials()),
    timeoutMs: 0,
    maxRetries: 0,
  });

/** A request as the signed-in user, for content other than JSON: files and event streams. */
export const transport = sendAs(() => session.credentials());

/** A file of the API as the signed-in user, unread. @throws ApiFailure */
export const ask = (path: string, { headers, signal }: RequestOptions = {}): Promise<Response> =>
  transport.fetch("GET", path, { accept: headers?.accept ?? "*/*", signal });

interface RequestOptions {
  headers?: { accept?: string };
  signal?: AbortSignal;
}

/** The API, typed by its OpenAPI document. Give what it returns to `data`. */
export const api = methodsOf(transport);

/** The same as nobody: for sign-ins and the like, whose refusal says nothing about the session there is. */
export const publicApi = methodsOf(sendAs(() => Promise.resolve(undefined)));

function methodsOf(transport: Transport) {
  const by =
    <M extends Method>(method: M) =>
    <P extends PathOf<M>>(path: P, ...init: Init<M, P>) =>
      transport.send(method, path, ...withoutTag(init));
  return { GET: by("GET"), POST: by("POST"), PUT: by("PUT"), PATCH: by("PATCH"), DELETE: by("DELETE") };
}

/** The result of a request by `api`. @throws ApiFailure */
export async function data<T>(answer: Promise<{ data?: T; response: Response }>): Promise<NonNullable<T>> {
  const { data, response } = await answer;
  // A request that fails throws; an answer without a body is an empty one.
  const body = (data ?? {}) as NonNullable<T>;
  const tag = response.headers.get("etag");
  return tag === null || Array.isArray(body) ? body : Object.assign(body, { [TAG]: tag });
}

/** Where an answer keeps its ETag: as a member, which the query cache preserves like any other. */
const TAG = "@etag";

/** A request without the ETag in its body: what a form was filled with may be what was read. */
function withoutTag<Sent extends readonly unknown[]>(init: Sent): Sent {
  const [options] = init as readonly { body?: unknown }[];
  const body = options?.body;
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, TAG)) return init;
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => name !== TAG));
  const untagged: readonly unknown[] = [Object.assign({}, options, { body: sent })];
  return untagged as Sent;
}

/** The headers that make a change conditional on the state that was read. */
export function ifMatch(read: object): Record<string, string> {
  const tag: unknown = Object.entries(read).find(([name]) => name === TAG)?.[1];
  return typeof tag === "string" ? { "if-match": tag } : {};
}

function failureOf({ status, code, message, requestId, errors, retryAfterS, details }: SwitchboardError): ApiFailure {
  // Used if the service gives no message, or none that says what to do.
  const isFromProxy = code === `http_${status}` && (status === 429 || status >= 500);
  const isSaid = status !== 0 && message !== `HTTP ${status}` && code !== "internal" && !isFromProxy;
  const words = isSaid ? message : "";
  const failure = new ApiFailure(status, code, words, requestId, errors);
  failure.retryAfterS = retryAfterS ?? 0;
  const { ticket, by, at } = details;
  failure.ticket = textOf(ticket) ?? "";
  if (code === "changed_meanwhile" && status === 412) failure.changed = { by: textOf(by), at: textOf(at) };
  return failure;
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
