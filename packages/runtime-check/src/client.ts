export class Client {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(base: string, headers: Record<string, string>) {
    this.#base = base;
    this.#headers = headers;
  }

  get = <T>(path: string) => this.#send<T>("GET", path);
  post = <T>(path: string, body: unknown = {}) => this.#send<T>("POST", path, body);
  delete = (path: string) => this.#send<unknown>("DELETE", path);

  /** @throws Error with the request, the status and the answer unless it succeeds */
  async #send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init: RequestInit = { method, headers: { ...this.#headers, "content-type": "application/json" } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(this.#base + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}
