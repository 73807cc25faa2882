import createClient from "openapi-fetch";
import type { components, paths } from "../../../../packages/sdk/src/schema.d.ts";

/** The bodies of the API by their names in its OpenAPI document. */
export type Body<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** Who asks: what is sent along with every request. */
export interface Credentials {
  access_token: string;
  account: string;
}

/** A field the service rejected, and why. */
export interface WrongField {
  /** Its path, `a.b` for one inside another; "" for the whole. */
  field: string;
  /** What is wrong, for programs. */
  code?: string;
  message: string;
}

/** The service said no, or could not be reached (status 0). */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly fields: WrongField[];
  /** Who changed meanwhile what was to be changed, and when (412). */
  changed: { by: string | null; at: string | null } | undefined;
  /** What finishes a sign-in together with a code of the second factor; "" where none is asked for. */
  ticket = "";
  /** After how many seconds to retry; 0 if the service did not say. */
  retryAfterS = 0;

  constructor(status: number, code: string, message: string, requestId: string, fields: WrongField[] = []) {
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

/** What the client asks of whoever holds the session. */
interface Session {
  /** Who asks, with a token that has not expired where there is a way to get one. @throws ApiFailure */
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

/** Who asks now, for a request that does not go through `api`: it is sent and judged by the same. */
export const credentialsNow = (): Promise<Credentials | undefined> => session.credentials();

/** The headers that say who asks. */
export function credentialHeaders(credentials: Credentials | undefined): Record<string, string> {
  if (!credentials) return {};
  return { authorization: `Bearer ${credentials.access_token}`, "x-account-id": credentials.account };
}

/** As fetch, as the signed-in user: for what is not JSON, files and event streams. @throws ApiFailure */
export async function ask(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const credentials = await session.credentials();
  request.signal.throwIfAborted();
  return send(request, credentials);
}

async function send(request: Request, credentials: Credentials | undefined): Promise<Response> {
  for (const [name, value] of Object.entries(credentialHeaders(credentials))) request.headers.set(name, value);
  if (!request.headers.has("accept")) request.headers.set("accept", "application/json");
  // Errors are to name every wrong field.
  request.headers.append("accept", "application/problem+json");
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw new ApiFailure(0, "unreachable", "", "");
  });
  return accepted(response, credentials);
}

/** The response to a request with these credentials, if it succeeded. @throws ApiFailure */
export async function accepted(response: Response, credentials: Credentials | undefined): Promise<Response> {
  if (response.ok) return response;
  const failure = await failureOf(response);
  failure.retryAfterS = Number(response.headers.get("retry-after") ?? 0);
  // The account is one of the session's: who is refused there is no longer a member.
  const isRefused = failure.status === 401 || failure.code === "account_mismatch";
  if (credentials && isRefused) session.refused(credentials);
  if (credentials && failure.code === FACTOR_MISSING) session.factorMissing(credentials);
  if (failure.code === "missing_scope") session.lacked();
  throw failure;
}

/** The API, typed by its OpenAPI document. Give what it returns to `data`. */
export const api = createClient<paths, "application/json">({ fetch: ask });

/** The same as nobody: for sign-ins and the like, whose refusal says nothing about the session there is. */
export const publicApi = createClient<paths, "application/json">({ fetch: (request) => send(request, undefined) });

/** What a request of `api` gave. @throws ApiFailure */
export async function data<T>(answer: Promise<{ data?: T; response: Response }>): Promise<NonNullable<T>> {
  const { data, response } = await answer;
  // A request that fails throws in `ask`; an answer without a body is an empty one.
  const body = (data ?? {}) as NonNullable<T>;
  const tag = response.headers.get("etag");
  return tag === null || Array.isArray(body) ? body : Object.assign(body, { [TAG]: tag });
}

/** Where an answer keeps its ETag: as a member, which the cache of queries carries over like any other. */
const TAG = "@etag";

/** The headers that make a change conditional on the state that was read. */
export function ifMatch(read: object): Record<string, string> {
  const tag: unknown = Object.entries(read).find(([name]) => name === TAG)?.[1];
  return typeof tag === "string" ? { "if-match": tag } : {};
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const requestId = response.headers.get("x-request-id") ?? "";
  const code = response.headers.get("x-error-code") ?? `http_${response.status}`;
  const problem: unknown = await response.json().catch(() => undefined);
  if (typeof problem === "string") return new ApiFailure(response.status, code, problem, requestId);
  const { title, errors, by, at, ticket }: Problem = isProblem(problem) ? problem : { title: response.statusText };
  const failure = new ApiFailure(response.status, code, title, requestId, errors ?? []);
  failure.ticket = ticket ?? "";
  if (code === "changed_meanwhile" && response.status === 412) failure.changed = { by: by ?? null, at: at ?? null };
  return failure;
}

interface Problem {
  title: string;
  errors?: WrongField[];
  by?: string | null;
  at?: string | null;
  ticket?: string;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "title" in value && typeof value.title === "string";
}
