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

/** The bodies of the API, by their names in its OpenAPI document. */
export type Body<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** The caller's identity, sent with every request. */
export interface Credentials {
  access_token: string;
  account: string;
}

export type { FieldError as WrongField };

/** An error response of the service, or status 0 if the service can't be reached. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly fields: FieldError[];
  /** If the status is 412: who made the change that the request would have overwritten, and when. */
  changed: { by: string | null; at: string | null } | undefined;
  /** Completes a sign-in together with a code of the second factor; "" if none is required. */
  ticket = "";
  /** Seconds after which to retry; 0 if the service didn't say. */
  retryAfterS = 0;

  constructor(status: number, code: string, message: string, requestId: string, fields: FieldError[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = fields;
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /**
   * Whether the session was refused. The same request may succeed once the user signs in or sets up a second factor.
   */
  get ofSession(): boolean {
    return this.status === 401 || this.code === FACTOR_MISSING;
  }
}

/** Error code: the account requires a second factor, and this session was started without one. */
const FACTOR_MISSING = "second_factor_missing";

interface Session {
  /** Returns the caller with a valid token, renewed if necessary. @throws ApiFailure */
  credentials(): Promise<Credentials | undefined>;
  /** Called when the service no longer accepts these credentials. */
  refused(credentials: Credentials): void;
  /** Called when the service accepts the credentials only for setting up a second factor. */
  factorMissing(credentials: Credentials): void;
  /** Called when the user lacks a scope that the console assumed they have. */
  lacked(): void;
}

let session: Session = {
  credentials: () => Promise.resolve(undefined),
  refused: () => undefined,
  factorMissing: () => undefined,
  lacked: () => undefined,
};

/** Sets the session whose credentials the client sends. */
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

/** Tells the session what the failure means for it. @throws ApiFailure, always */
function refuse(failure: ApiFailure, credentials: Credentials | undefined): never {
  // The account is one of the session's, so if it refuses the user, they are no longer a member.
  const isRefused = failure.status === 401 || failure.code === "account_mismatch";
  if (credentials && isRefused) session.refused(credentials);
  if (credentials && failure.code === FACTOR_MISSING) session.factorMissing(credentials);
  if (failure.code === "missing_scope") session.lacked();
  throw failure;
}

/** Sends requests with these credentials. Only the query cache retries failed requests. */
const sendAs = (credentials: () => Promise<Credentials | undefined>) =>
  new Transport({
    baseUrl: "",
    authorize: async () => authorizationOf(await credentials()),
    timeoutMs: 0,
    maxRetries: 0,
  });

/** Sends requests as the signed-in user, for content other than JSON: files and event streams. */
export const transport = sendAs(() => session.credentials());

/** Requests a file from the API as the signed-in user and returns the unread response. @throws ApiFailure */
export const ask = (path: string, { headers, signal }: RequestOptions = {}): Promise<Response> =>
  transport.fetch("GET", path, { accept: headers?.accept ?? "*/*", signal });

interface RequestOptions {
  headers?: { accept?: string };
  signal?: AbortSignal;
}

/** The API, typed by its OpenAPI document. Pass its results to `data`. */
export const api = methodsOf(transport);

/** The API without credentials, for sign-ins and the like: a refusal there says nothing about the current session. */
export const publicApi = methodsOf(sendAs(() => Promise.resolve(undefined)));

function methodsOf(transport: Transport) {
  const by =
    <M extends Method>(method: M) =>
    <P extends PathOf<M>>(path: P, ...init: Init<M, P>) =>
      transport.send(method, path, ...withoutTag(init));
  return { GET: by("GET"), POST: by("POST"), PUT: by("PUT"), PATCH: by("PATCH"), DELETE: by("DELETE") };
}

/** Returns the result of an `api` request. @throws ApiFailure */
export async function data<T>(answer: Promise<{ data?: T; response: Response }>): Promise<NonNullable<T>> {
  const { data, response } = await answer;
  // A failed request throws, so a missing body is an empty one.
  const body = (data ?? {}) as NonNullable<T>;
  const tag = response.headers.get("etag");
  return tag === null || Array.isArray(body) ? body : Object.assign(body, { [TAG]: tag });
}

/** Member that holds a response's ETag. As a member, the query cache preserves it. */
const TAG = "@etag";

/** Removes the ETag from a request's body, because a form may be filled with a response. */
function withoutTag<Sent extends readonly unknown[]>(init: Sent): Sent {
  const [options] = init as readonly { body?: unknown }[];
  const body = options?.body;
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, TAG)) return init;
  const sent = Object.fromEntries(Object.entries(body).filter(([name]) => name !== TAG));
  const untagged: readonly unknown[] = [Object.assign({}, options, { body: sent })];
  return untagged as Sent;
}

/** Returns the headers that make a change conditional on the state that was read. */
export function ifMatch(read: object): Record<string, string> {
  const tag: unknown = Object.entries(read).find(([name]) => name === TAG)?.[1];
  return typeof tag === "string" ? { "if-match": tag } : {};
}

function failureOf({ status, code, message, requestId, errors, retryAfterS, details }: SwitchboardError): ApiFailure {
  // The console's own text is used if the service gives no message, or a message that doesn't say what to do.
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
