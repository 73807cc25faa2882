/** The response of GET /widget/config. */
export interface Config {
  agent: { id: string; name: string; greeting_message: string; language: string } | null;
  settings: {
    accent_color: string;
    launcher_label: string;
    launcher_position: string;
    logo_url: string;
    primary_color: string;
    privacy_notice: string;
  };
  auth_mode: "public" | "authenticated" | "both";
  enabled: boolean;
  /** Whether guests may talk to the agent. */
  guests: boolean;
  runtime_url: string | null;
}

export interface Session {
  access_token: string;
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  visitor: { id: string; type: "guest" | "user" };
  agent_id: string;
}

/** The service refused, or could not be reached (status 0). */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A client for the widget's endpoints of the service that served the script. */
export class Service {
  readonly #base: string;
  readonly #clientKey: string;

  constructor(base: string, clientKey: string) {
    this.#base = base;
    this.#clientKey = clientKey;
  }

  config = (): Promise<Config> => this.#ask(`config?client_key=${encodeURIComponent(this.#clientKey)}`);
  guest = (): Promise<Session> => this.#ask("auth/guest", { client_key: this.#clientKey });
  exchange = (visitor_token: string): Promise<Session> => this.#ask("auth/exchange", { visitor_token });
  refresh = (refresh_token: string): Promise<Session> => this.#ask("auth/refresh", { refresh_token });

  async #ask<T>(path: string, body?: object): Promise<T> {
    const init: RequestInit = { credentials: "omit" };
    if (body) {
      init.method = "POST";
      init.headers = { "content-type": "application/json" };
      init.body = JSON.stringify(body);
    }
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(`${this.#base}${path}`, init);
      answer = await response.json();
    } catch {
      // A refused origin causes the same error, because a page cannot read a response without CORS headers.
      throw new ServiceError(0, "unreachable", "the service cannot be reached, or this page's origin is not allowed");
    }
    if (response.ok) return answer as T;
    throw new ServiceError(response.status, response.headers.get("x-error-code") ?? "refused", String(answer));
  }
}
