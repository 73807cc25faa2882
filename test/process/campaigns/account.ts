import { request } from "node:http";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../../src/dev/demo-data.ts";
import { freshFetch } from "./service.ts";
import { CREDENTIALS } from "./stand-in-carrier.ts";

export interface Campaign {
  id: string;
  status: string;
  status_reason: string | null;
  total_contacts: number;
  counts: Record<string, number>;
}
export interface Contact {
  id: string;
  phone_number: string;
  status: string;
  outcome: string | null;
  attempt_count: number;
}
/** An entry of the history (docs/campaign-history.md). */
export interface Entry {
  seq: number;
  at: number;
  contact: number | null;
  phone: number | null;
  status: string;
  previous: string | null;
  reason: string | null;
  call_id: string | null;
}

/** The fields of a call that the tests use. */
export interface Call {
  call_id: string;
  status: string;
  to_number: string;
  end_reason: string | null;
  connected_at: string | null;
  recording_id: string | null;
}
/** A response with its error code. */
export interface Answer<T> {
  status: number;
  code: string | null;
  /** Whether it was replayed for an idempotency key. */
  replayed: boolean;
  body: T;
}

const LIMITS = "/api/v1/call-limits";
/** Contacts per response. */
const PAGE = 1_000;

/** Creates an account and returns its name and the email of its owner, who has the long password. */
export async function createAccount(url: string): Promise<{ account: string; email: string }> {
  const operator = await new ApiClient(url, freshFetch).signIn(OPERATOR);
  const account = `crash-${crypto.randomUUID().slice(0, 8)}`;
  const email = `owner@${account}.example`;
  await operator.post("/api/admin/v1/accounts", { name: account, plan: "scale" });
  await operator.post(`/api/admin/v1/accounts/${account}/users`, { email, password: LONG_PASSWORD });
  return { account, email };
}

/** An account with an agent and a number at the carrier, as campaigns require. */
export class Account {
  readonly #client: ApiClient;
  readonly #url: string;
  /** Its agent and number, in the fields of campaigns and single calls. */
  line = { agent_id: "", from_number: "" };
  /** The paths of its credentials and its number. */
  readonly paths = { credentials: "", number: "" };

  private constructor(url: string, client: ApiClient) {
    this.#url = url;
    this.#client = client;
  }

  static async open(url: string): Promise<Account> {
    const owner = await createAccount(url);
    const account = new Account(url, await new ApiClient(url, freshFetch).signIn(owner, LONG_PASSWORD));
    await account.#prepare();
    return account;
  }

  async #prepare(): Promise<void> {
    const { post } = this.#client;
    const provider = "twilio";
    const keys = await post<{ id: string }>("/api/v1/telephony/providers", { provider, credentials: CREDENTIALS });
    const agent = await post<{ id: string }>("/api/v1/agents", { name: "Caller", status: "active" });
    const from_number = "+12025550142";
    const number = { e164: from_number, provider, credentials_id: keys.id };
    const { id } = await post<{ id: string }>("/api/v1/telephony/numbers", number);
    this.line = { agent_id: agent.id, from_number };
    this.paths.credentials = `/api/v1/telephony/providers/${keys.id}`;
    this.paths.number = `/api/v1/telephony/numbers/${id}`;
  }

  /** Sends any request and returns the response. */
  request = async <T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    { key, signal }: { key?: string; signal?: AbortSignal } = {},
  ): Promise<Answer<T>> => {
    const headers = {
      ...this.#client.headers,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
    };
    const sent = { method, headers, body: JSON.stringify(body) ?? null, signal: signal ?? null };
    const response = await freshFetch(this.#url + path, sent);
    const text = await response.text();
    return {
      status: response.status,
      code: response.headers.get("x-error-code"),
      replayed: response.headers.get("idempotent-replayed") === "true",
      body: (text === "" ? null : JSON.parse(text)) as T,
    };
  };

  originate = (to_number: string) => this.request<Call>("POST", "/api/v1/calls/originate", { ...this.line, to_number });
  call = (id: string) => this.get<Call>(`/api/v1/calls/${id}`);
  limits = () => this.get<Record<"concurrent_calls" | "calls_per_minute" | "calls_per_day", { used: number }>>(LIMITS);

  /** Returns the address and credentials of a campaign's event stream. */
  stream({ id }: Pick<Campaign, "id">): [url: string, headers: Record<string, string>] {
    return [`${this.#url}/api/v1/campaigns/${id}/events`, this.#client.headers];
  }

  get = <T>(path: string) => this.#client.get<T>(path);
  operate = (operation: string, { id }: Pick<Campaign, "id">) =>
    this.#client.post<Campaign>(`/api/v1/campaigns/${id}/${operation}`);
  campaign = ({ id }: Pick<Campaign, "id">) => this.get<Campaign>(`/api/v1/campaigns/${id}`);
  list = async () => (await this.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).campaigns;

  upload(numbers: string[], settings: Record<string, string> = {}): Promise<Campaign> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...this.line, ...settings })) form.set(name, value);
    form.set("contacts", new File([`phone_number\n${numbers.join("\n")}\n`], "contacts.csv", { type: "text/csv" }));
    return this.#client.upload<Campaign>("/api/v1/campaigns", form);
  }

  /** Adds contacts to a campaign. */
  add(
    { id }: Pick<Campaign, "id">,
    numbers: string[],
  ): Promise<Record<"accepted" | "rejected" | "duplicates", number>> {
    const form = new FormData();
    form.set("contacts", new File([`phone_number\n${numbers.join("\n")}\n`], "contacts.csv", { type: "text/csv" }));
    return this.#client.upload(`/api/v1/campaigns/${id}/contacts`, form);
  }

  /** Sends these contacts in an upload that never ends. */
  beginUpload(numbers: string[], path = "/api/v1/campaigns"): void {
    const headers = { ...this.#client.headers, "content-type": "multipart/form-data; boundary=cut" };
    const sending = request(this.#url + path, { method: "POST", headers });
    // The request can only end in an error.
    sending.on("error", () => undefined);
    sending.write('--cut\r\ncontent-disposition: form-data; name="contacts"; filename="contacts.csv"\r\n');
    sending.write(`content-type: text/csv\r\n\r\nphone_number\n${numbers.join("\n")}\n`);
  }

  /** Checks whether the path is answered with 404. */
  async isGone(path: string): Promise<boolean> {
    return (await freshFetch(this.#url + path, { headers: this.#client.headers })).status === 404;
  }

  /** Returns all contacts, or those with a status, page by page. */
  async contacts({ id }: Pick<Campaign, "id">, status?: string): Promise<Contact[]> {
    const all: Contact[] = [];
    for (;;) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(status && { status }) });
      const last = all.at(-1);
      if (last) query.set("after", last.id);
      const { contacts } = await this.get<{ contacts: Contact[] }>(`/api/v1/campaigns/${id}/contacts?${query}`);
      all.push(...contacts);
      if (contacts.length < PAGE) return all;
    }
  }

  /** Returns a whole list that is paged by `after` and `next`. */
  async all<T>(path: string, name: string): Promise<T[]> {
    const rows: T[] = [];
    for (let after: string | null = null; ; ) {
      const query = after === null ? "" : `&after=${encodeURIComponent(after)}`;
      const page: { next: string | null } & Record<string, T[]> = await this.get(`${path}${query}`);
      rows.push(...(page[name] ?? []));
      if (page.next === null) return rows;
      after = page.next;
    }
  }

  /** Returns the exported history. */
  history = ({ id }: Pick<Campaign, "id">) => this.text(`/api/v1/campaigns/${id}/history`);

  /** Returns an exported file. */
  async text(path: string): Promise<string> {
    const response = await freshFetch(this.#url + path, { headers: this.#client.headers });
    if (!response.ok) throw new Error(`no ${path}: ${response.status}`);
    return response.text();
  }
}

/** Returns the entries of an exported history. */
export function entriesOf(ndjson: string): Entry[] {
  return ndjson
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { entry } = JSON.parse(line);
      const [seq, at, , , contact, status, previous, , call_id, reason, , , phone] = entry;
      return { seq, at, contact, status, previous, call_id, reason, phone };
    });
}
