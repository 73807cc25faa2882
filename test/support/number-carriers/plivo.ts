import type { CarrierKind } from "../../../src/phone/carriers/carrier.ts";
import { plivo } from "../../../src/phone/carriers/plivo.ts";
import {
  basicAuth,
  type Field,
  jsonOf,
  METHOD,
  type NumberCarrier,
  network,
  queryOf,
  type Sent,
  secretIn,
  URI,
} from "./stand-in.ts";

const ID = "MAPLIVOACCOUNT012345";
const TOKEN = "plivo-auth-token";
const BASE = "https://api.plivo.com";
const ROOT = `/v1/Account/${ID}`;

const PAGING: Record<string, Field> = { limit: /^([1-9]|1\d|20)$/, offset: /^\d+$/ };
const UPDATE_NUMBER = { app_id: /^\d+$/, subaccount: /./, alias: /./, cnam_lookup: ["enabled", "disabled"] } as const;
const APPLICATION: Record<string, Field | "any"> = {
  answer_url: URI,
  answer_method: METHOD,
  hangup_url: URI,
  hangup_method: METHOD,
  fallback_answer_url: URI,
  fallback_method: METHOD,
  message_url: URI,
  message_method: METHOD,
  default_number_app: "any",
  default_endpoint_app: "any",
  subaccount: /./,
  log_incoming_messages: "any",
};
const NEW_APPLICATION = { ...APPLICATION, app_name: /^[A-Za-z0-9_-]+$/ };

interface Row {
  number: string;
  application: string | null;
  [field: string]: unknown;
}
interface App {
  app_id: string;
  app_name: string;
  answer_url: string;
  answer_method: string;
  enabled: boolean;
  [field: string]: unknown;
}

/** Creates a Plivo account with its numbers and applications, as its API reference describes them. */
export function plivoAccount(): NumberCarrier & { apps: App[] } {
  const rows: Row[] = [];
  const apps: App[] = [];
  const refuse = (error: string) => ({ status: 400, body: { api_id: "a", error } });
  const missing = { status: 404, body: { api_id: "a", error: "not found" } };
  const uriOf = ({ app_id }: App) => `${ROOT}/Application/${app_id}/`;
  const make = (fields: Partial<App> & { app_name: string; answer_url: string }): App => {
    const app_id = String(29986316244302800 + apps.length * 8);
    const app = { answer_method: "POST", enabled: true, message_url: null, ...fields, app_id };
    apps.push(app);
    return app;
  };
  // Applications of other systems, more than one page.
  for (let i = 0; i < 25; i++) make({ app_name: `other-${i}`, answer_url: `https://other.example/${i}` });

  const judge = (sent: Sent) => {
    const { method, url } = sent;
    if (sent.headers.get("authorization") !== basicAuth(ID, TOKEN))
      return { status: 401, body: { error: `could not verify ${secretIn(sent)}` } };
    const [kind, id = "", rest] = url.pathname.slice(ROOT.length + 1).split("/");
    // Every path ends with a slash.
    if (url.origin !== BASE || !url.pathname.startsWith(`${ROOT}/`) || !url.pathname.endsWith("/")) return missing;
    if (kind === "Number" && id === "") return method === "GET" ? paged(sent, rows) : missing;
    if (kind === "Application" && id === "") return method === "GET" ? paged(sent, apps) : create(sent);
    if (rest !== "") return missing;
    if (kind === "Number") return numberOf(sent, id);
    return kind === "Application" ? applicationOf(sent, id) : missing;
  };
  const paged = (sent: Sent, all: object[]) => {
    const query = queryOf(sent, PAGING, refuse);
    const [limit, offset] = [Number(query.limit ?? 20), Number(query.offset ?? 0)];
    const next = offset + limit < all.length ? `${sent.url.pathname}?limit=${limit}&offset=${offset + limit}` : null;
    const meta = { limit, offset, next, previous: null, total_count: all.length };
    return { status: 200, body: { api_id: "a", meta, objects: all.slice(offset, offset + limit) } };
  };
  const numberOf = (sent: Sent, number: string) => {
    const row = rows.find((one) => one.number === number);
    if (!row) return missing;
    if (sent.method === "GET") return { status: 200, body: row };
    if (sent.method !== "POST") return missing;
    const { app_id, ...changes } = jsonOf(sent, UPDATE_NUMBER, refuse);
    const app = apps.find((one) => one.app_id === app_id);
    if (app_id !== undefined && !app) return refuse("app_id is not valid");
    Object.assign(row, changes, app && { application: uriOf(app) });
    return { status: 202, body: { message: "changed", api_id: "a" } };
  };
  const applicationOf = (sent: Sent, id: string) => {
    const app = apps.find(({ app_id }) => app_id === id);
    if (!app) return missing;
    if (sent.method === "GET") return { status: 200, body: app };
    if (sent.method !== "POST") return missing;
    Object.assign(app, jsonOf(sent, APPLICATION, refuse));
    return { status: 202, body: { message: "changed", api_id: "a" } };
  };
  const create = (sent: Sent) => {
    const fields = jsonOf(sent, NEW_APPLICATION, refuse) as unknown as App;
    if (!fields.app_name || !fields.answer_url) return refuse("app_name and answer_url are required");
    if (apps.some(({ app_name }) => app_name === fields.app_name)) return refuse("app_name is taken");
    return { status: 201, body: { message: "created", app_id: make(fields).app_id, api_id: "a" } };
  };
  const rowOf = (e164: string) => rows.find(({ number }) => `+${number}` === e164) as Row;
  const assign = (fields: (target: string) => Partial<App>) => (e164: string, target: string) => {
    const app = make({ app_name: `set-${apps.length}`, answer_url: target, ...fields(target) });
    rowOf(e164).application = uriOf(app);
  };

  const attach = (application: string | null) => (e164: string) => void Object.assign(rowOf(e164), { application });

  const wire = network(judge, { intercept: () => carrier.intercept });
  const carrier: NumberCarrier & { apps: App[] } = {
    name: "plivo",
    kind: plivo as CarrierKind<never>,
    credentials: { auth_id: ID, auth_token: TOKEN },
    variable: "PLIVO_API_URL",
    base: BASE,
    page_rows: 20,
    fetch: wire.fetch,
    requests: wire.requests,
    intercept: null,
    apps,
    own(...seeds) {
      for (const { e164, voice = true, sms = true, mms = false } of seeds)
        rows.push({
          number: e164.slice(1),
          alias: "kept",
          sub_account: null,
          application: null,
          voice_enabled: voice,
          sms_enabled: sms,
          mms_enabled: mms,
          number_type: "local",
        });
    },
    astray: [
      ["no application", attach(null), /not assigned to an application/],
      [
        "another address",
        assign(() => ({ app_name: "crm", answer_url: "https://old.example/plivo?key=s3cret" })),
        /https:\/\/old\.example\/plivo\?key=\*\*\* \(by the application crm at Plivo\)/,
      ],
      ["the address by GET", assign(() => ({ answer_method: "GET" })), /uses GET, and must use POST/],
      ["an application that is off", assign(() => ({ enabled: false })), /which is switched off/],
      ["a trunk", attach(`${ROOT}/Zentrunk/Trunk/17248282830499840/`), /at Plivo is not an XML application/],
    ],
    lead: assign(() => ({})),
    untouched: (e164) => [
      apps.filter(({ app_name }) => /^(other|set)-|^crm$/.test(app_name)).map((app) => ({ ...app })),
      rowOf(e164).alias,
    ],
  };
  return carrier;
}
