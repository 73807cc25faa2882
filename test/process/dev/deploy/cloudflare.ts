import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";

export const ACCOUNT = "0123456789abcdef0123456789abcdef";

const METADATA = { created_on: "2026-11-23T12:00:00Z", author_email: "you@example.com", source: "wrangler" };

interface Refusal {
  status: number;
  code: number;
  message: string;
}
export interface StoredWorker {
  secrets: Record<string, string>;
  /** The metadata of the last upload of the Worker. */
  metadata: { bindings: Record<string, unknown>[]; migrations?: { new_tag: string }; limits?: { cpu_ms: number } };
  classTag: string | null;
  versions: { version_id: string; percentage: number }[];
}

/** The part of the Cloudflare API that a deployment uses, with SQLite databases. */
export class StandIn {
  readonly databases = new Map<string, { uuid: string; sqlite: DatabaseSync }>();
  readonly buckets = new Set<string>();
  readonly workers = new Map<string, StoredWorker>();
  /** The requests, as "GET /path". */
  readonly requests: string[] = [];
  subdomain: string | null = "example";
  isPaid = true;
  hasR2 = true;
  /** Refuses the requests for which it returns a message. */
  refuse: (request: string) => Refusal | null = () => null;
  base = "";
  #server: Server | undefined;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    }).listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.base = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/client/v4`;
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** The requests that changed something. */
  get changes(): string[] {
    return this.requests.filter((request) => !request.startsWith("GET ") && !request.endsWith("/query"));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.base);
    const line = `${request.method} ${pathname.replace("/client/v4", "").replace(`/accounts/${ACCOUNT}`, "")}`;
    this.requests.push(line);
    const body = await buffer(request);
    try {
      const refusal = this.refuse(line);
      if (refusal) throw refusal;
      const result = await this.#result(line, searchParams, body, request.headers["content-type"] ?? "");
      return { status: 200, body: { success: true, errors: [], messages: [], result } };
    } catch (error) {
      const { status, code, message } = error as Refusal;
      const problem = { code: code ?? 1, message: message ?? String(error) };
      return { status: status ?? 500, body: { success: false, errors: [problem], messages: [], result: null } };
    }
  }

  async #result(line: string, search: URLSearchParams, body: Buffer, type: string): Promise<unknown> {
    const [method = "", path = ""] = line.split(" ");
    const [, area = "", kind = "", name = "", part = "", id] = path.split("/");
    if (line === "GET /accounts") return [{ id: ACCOUNT, name: "Example" }];
    if (line === "GET /workers/subdomain") {
      if (this.subdomain === null) throw { status: 404, code: 10007, message: "no subdomain" };
      return { subdomain: this.subdomain };
    }
    if (area === "d1") return this.#databases(method, name, part, search, body);
    if (area === "r2") return this.#buckets(method, name, body);
    if (kind === "services") return this.#service(name);
    if (kind === "workers") return { id: name, name, subdomain: { enabled: true, previews_enabled: true } };
    if (part === "versions" && id !== undefined)
      return { id, number: 1, metadata: METADATA, resources: { bindings: [], script: {} } };
    if (kind === "scripts") return this.#script(method, name, part, body, type);
    throw { status: 404, code: 7003, message: `nothing at ${line}` };
  }

  #databases(method: string, id: string, part: string, search: URLSearchParams, body: Buffer): unknown {
    if (method === "GET" && id === "") {
      const wanted = search.get("name") ?? "";
      return [...this.databases].filter(([name]) => name.includes(wanted)).map(([name, { uuid }]) => ({ uuid, name }));
    }
    if (method === "POST" && id === "") {
      const { name } = JSON.parse(String(body)) as { name: string };
      if (this.databases.has(name)) throw { status: 400, code: 7502, message: "database exists" };
      const database = { uuid: randomUUID(), sqlite: new DatabaseSync(":memory:") };
      this.databases.set(name, database);
      return { uuid: database.uuid, name };
    }
    const found = [...this.databases.values()].find(({ uuid }) => uuid === id);
    if (!found) throw { status: 404, code: 7404, message: "no such database" };
    if (part !== "query") return { uuid: id, version: "production" };
    const { sql, params = [] } = JSON.parse(String(body)) as { sql: string; params?: (string | number)[] };
    return [{ results: run(found.sqlite, sql, params), success: true, meta: { duration: 0 } }];
  }

  #buckets(method: string, name: string, body: Buffer): unknown {
    if (!this.hasR2) throw { status: 403, code: 10042, message: "Please enable R2 through the Cloudflare Dashboard." };
    if (method === "POST") {
      this.buckets.add((JSON.parse(String(body)) as { name: string }).name);
      return {};
    }
    if (!this.buckets.has(name)) throw { status: 404, code: 10006, message: "The specified bucket does not exist." };
    return { name };
  }

  #service(name: string): unknown {
    const worker = this.workers.get(name);
    if (!worker) throw { status: 404, code: 10090, message: "This service does not exist on your account." };
    const script = { migration_tag: worker.classTag, tag: "t", last_deployed_from: "wrangler" };
    return { id: name, default_environment: { environment: "production", script } };
  }

  async #script(method: string, name: string, part: string, body: Buffer, type: string): Promise<unknown> {
    const worker = this.workers.get(name);
    if (part === "assets-upload-session") return { jwt: "a.b.c", buckets: [] };
    if (part === "" && method === "PUT") return this.#upload(name, body, type, 100);
    if (part === "versions" && method === "POST") return this.#upload(name, body, type, 0);
    if (!worker) throw { status: 404, code: 10007, message: "This Worker does not exist on your account." };
    if (part === "deployments" && method === "POST") {
      worker.versions = (JSON.parse(String(body)) as Pick<StoredWorker, "versions">).versions;
      return { id: randomUUID() };
    }
    if (part === "deployments")
      return { deployments: [{ id: "d", source: "api", strategy: "percentage", versions: worker.versions }] };
    if (part === "settings" || part === "script-settings") {
      const secrets = Object.keys(worker.secrets).map((secret) => ({ type: "secret_text", name: secret }));
      return { bindings: [...worker.metadata.bindings, ...secrets] };
    }
    if (part === "secrets") return Object.keys(worker.secrets).map((secret) => ({ type: "secret_text", name: secret }));
    if (part === "versions")
      return { items: worker.versions.map(({ version_id }) => ({ id: version_id, number: 1, metadata: METADATA })) };
    if (part === "subdomain") return { enabled: true, previews_enabled: true };
    return {};
  }

  async #upload(name: string, body: Buffer, type: string, percentage: number): Promise<unknown> {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const metadata = JSON.parse(String(form.get("metadata"))) as StoredWorker["metadata"];
    if (metadata.limits?.cpu_ms !== undefined && !this.isPaid)
      throw { status: 400, code: 100328, message: "CPU limits are not supported for the Free plan." };
    const before = this.workers.get(name);
    const secrets = Object.assign({}, before?.secrets);
    for (const { type: kind, name: binding, text } of metadata.bindings) {
      if (kind === "secret_text") secrets[String(binding)] = String(text);
      if (kind === "inherit" && !(String(binding) in secrets))
        throw { status: 400, code: 10056, message: `inherit binding '${binding}' is invalid` };
    }
    const version = { version_id: randomUUID(), percentage };
    this.workers.set(name, {
      secrets,
      metadata: Object.assign({}, metadata, {
        bindings: metadata.bindings.filter(({ type: kind }) => kind !== "secret_text" && kind !== "inherit"),
      }),
      classTag: metadata.migrations?.new_tag ?? before?.classTag ?? null,
      versions: percentage === 100 ? [version] : (before?.versions ?? []),
    });
    return {
      id: percentage === 100 ? name : version.version_id,
      deployment_id: version.version_id,
      startup_time_ms: 1,
      metadata: {},
    };
  }
}

/** Runs statements. The last one may have parameters and return rows. */
function run(sqlite: DatabaseSync, sql: string, params: (string | number)[]): unknown[] {
  if (params.length === 0 && /;\s*\S/.test(sql)) {
    sqlite.exec(`BEGIN;\n${sql}\n;COMMIT;`);
    return [];
  }
  return sqlite.prepare(sql).all(...params);
}
