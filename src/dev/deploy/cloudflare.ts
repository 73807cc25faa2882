import { z } from "zod";
import { failureText } from "../failure.ts";

export class CloudflareError extends Error {
  override name = "CloudflareError";
  readonly status: number;
  readonly code: number;

  constructor(path: string, status: number, code: number, message: string) {
    super(`Cloudflare refused ${path}: ${message} [code: ${code}]`);
    this.status = status;
    this.code = code;
  }
}

const envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
  result: z.unknown(),
});
const queryResult = z.tuple([z.object({ results: z.array(z.record(z.string(), z.unknown())) })], z.unknown());

export interface CloudflareOptions {
  fetch: typeof fetch;
  /** The address of the API, without a slash at the end. */
  base: string;
  headers: Record<string, string>;
}

export const API = "https://api.cloudflare.com/client/v4";

/** A client for the Cloudflare API. @throws CloudflareError with its code, Error if the API cannot be reached */
export class Cloudflare {
  readonly #options: CloudflareOptions;

  constructor(options: CloudflareOptions) {
    this.#options = options;
  }

  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
    return this.#request("GET", path, schema);
  }

  /** Sends a GET like `get`, but returns null for a 404 with one of the codes, or with any code if none is given. */
  async find<S extends z.ZodType>(path: string, schema: S, codes: number[] = []): Promise<z.output<S> | null> {
    try {
      return await this.get(path, schema);
    } catch (error) {
      const isAbsent = error instanceof CloudflareError && error.status === 404;
      if (isAbsent && (codes.length === 0 || codes.includes(error.code))) return null;
      throw error;
    }
  }

  post<S extends z.ZodType>(path: string, body: unknown, schema: S): Promise<z.output<S>> {
    return this.#request("POST", path, schema, body);
  }

  /** Runs one statement in a database and returns its rows. */
  async query(database: string, sql: string, params: (string | number)[] = []): Promise<Record<string, unknown>[]> {
    const [{ results }] = await this.post(`${database}/query`, { sql, params }, queryResult);
    return results;
  }

  async #request<S extends z.ZodType>(method: string, path: string, schema: S, body?: unknown): Promise<z.output<S>> {
    const { fetch, base, headers } = this.#options;
    const init = {
      method,
      headers: { ...headers, "content-type": "application/json" },
      signal: AbortSignal.timeout(60_000),
    };
    const response = await fetch(
      base + path,
      body === undefined ? init : Object.assign(init, { body: JSON.stringify(body) }),
    ).catch((error: unknown) => {
      throw new Error(`Cloudflare cannot be reached at ${base} (${failureText(error)})`);
    });
    const answer = envelope.safeParse(await response.json().catch(() => null));
    const [problem] = answer.data?.errors ?? [];
    if (!response.ok || !answer.data?.success)
      throw new CloudflareError(
        path,
        response.status,
        problem?.code ?? 0,
        problem?.message ?? `status ${response.status}`,
      );
    return schema.parse(answer.data.result);
  }
}
