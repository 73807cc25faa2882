import { PASSWORD } from "./demo-data.ts";

interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
}

/** The used part of `fetch`: the network's, or that of a runtime without an address. */
export type Fetch = (url: string, init?: Init) => Promise<{ status: number; text(): Promise<string> }>;

/** A response that the script did not expect. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  /** The code of the error; null if there is none. */
  readonly code: string | null;
  constructor(request: string, status: number, body: string, code: string | null = null) {
    super(`${request}: ${status} ${body}`);
    this.status = status;
    this.code = code;
  }
}

export class ApiClient {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly headers: Record<string, string>;

  constructor(base: string, fetch: Fetch, headers: Record<string, string> = {}) {
    this.#base = base;
    this.#fetch = fetch;
    this.headers = headers;
  }

  /** Signs in, by default with the demo password, and returns a client that acts as this user. */
  async signIn(who: { account: string; email: string }, password = PASSWORD): Promise<ApiClient> {
    const { account, email } = who;
    const { access_token } = await this.post<{ access_token: string }>("/api/login", { account, email, password });
    const headers = { authorization: `Bearer ${access_token}`, "x-account-id": account };
    return new ApiClient(this.#base, this.#fetch, headers);
  }

  text = (path: string) => this.#answer("GET", path, {});
  get = <T>(path: string) => this.send<T>("GET", path);
  post = <T>(path: string, body: unknown = {}) => this.send<T>("POST", path, body);

  upload = <T>(path: string, form: FormData) => this.#request<T>("POST", path, { body: form });

  send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const json = { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    return this.#request(method, path, body === undefined ? {} : json);
  }

  async #request<T>(method: string, path: string, init: Pick<Init, "body" | "headers">): Promise<T> {
    const text = await this.#answer(method, path, init);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** @throws UnexpectedAnswer for anything but success */
  async #answer(method: string, path: string, init: Pick<Init, "body" | "headers">): Promise<string> {
    const headers = { ...this.headers, ...init.headers };
    const response = await this.#fetch(this.#base + path, { ...init, method, headers });
    const text = await response.text();
    if (response.status >= 400) throw new UnexpectedAnswer(`${method} ${path}`, response.status, text);
    return text;
  }
}
