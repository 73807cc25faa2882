import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startWorker } from "../process/support/worker.ts";

/** All scopes are named, because keys do not have `manage` by default. */
const SCOPES = ["read", "listen", "build", "connect", "dial", "manage", "runtime"];
/** The password of every user that these helpers create. */
export const PASSWORD = "correct horse battery staple";

/** The response to a sign-in. */
export interface Session {
  access_token: string;
  refresh_token: string | null;
  expires_in: number;
  account: string;
  accounts: unknown;
  user: unknown;
}

/** Starts the service as it is deployed, on its own port, with helpers for its tests. */
export async function startService(vars: Record<string, string>) {
  const worker = await startWorker(vars);
  const service = serviceAt(worker.origin, await worker.signIn("service-admin"));
  /** Creates an account like `account`, but without a user who can sign in: no password is hashed. */
  const tenant = async (domain_allowlist: string[]): Promise<Tenant> => {
    const name = await service.newAccount();
    return service.equip(name, await worker.signIn(name), domain_allowlist);
  };
  return Object.assign(service, { tenant, close: worker.stop });
}

/** Creates helpers for tests of a running service. `operator` contains the headers of its operator. */
export function serviceAt(origin: string, operator: Record<string, string>) {
  const request = async <T>(method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(new URL(path, origin), {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  const asOperator = <T>(method: string, path: string, body?: unknown) => request<T>(method, path, operator, body);
  const user = async (
    account: string,
    password: string,
    email = `ada@${account}.example`,
    role = "owner",
  ): Promise<string> => {
    const body = { email, password, name: "Ada Byron", role };
    await asOperator("POST", `/api/admin/v1/accounts/${account}/users`, body);
    return email;
  };

  const login = (credentials: { account: string; email: string; password: string }) =>
    request<Session>("POST", "/api/login", {}, credentials);

  const newAccount = async () => {
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    await asOperator("POST", "/api/admin/v1/accounts", { name, plan: "scale" });
    return name;
  };

  /** Gives an account an agent, a widget key for these origins, and clients that act for it. */
  const equip = async (name: string, owner: Record<string, string>, domain_allowlist: string[]) => {
    const { key } = await request<{ key: string }>("POST", "/api/v1/api-keys", owner, {
      name: "server",
      scopes: SCOPES,
    });
    const bearer = { authorization: `Bearer ${key}` };
    const server = <T>(method: string, path: string, body?: unknown) => request<T>(method, path, bearer, body);
    const upload = async <T>(path: string, body: FormData) => {
      const response = await fetch(new URL(path, origin), { method: "POST", headers: bearer, body });
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    };
    // Without a time zone, the plan of each campaign would warn that its calls tell the time in UTC.
    await server("PATCH", "/api/v1/account", { timezone: "America/Denver" });
    const greeting_message = "Hello, I am Ada. What can I do for you?";
    const agent = await server<{ id: string }>("POST", "/api/v1/agents", {
      name: "Ada",
      greeting_message,
      auth_mode: "public",
    });
    const widgetKey = await server<{ id: string; key: string }>("POST", "/api/v1/widget-keys", {
      name: "page",
      agent_id: agent.id,
      domain_allowlist,
    });
    return { name, server, upload, agent, widgetKey };
  };

  return {
    origin,
    login,
    newAccount,
    equip,
    /** Creates an operator of the service and returns the address to sign in with. */
    operator: () => user("service-admin", PASSWORD, `ada@${crypto.randomUUID()}.example`),
    /** Creates an account with a user, an agent and a widget key for these origins, and clients that act for it. */
    async account(domain_allowlist: string[]) {
      const name = await newAccount();
      const email = await user(name, PASSWORD);
      const session = await login({ account: name, email, password: PASSWORD });
      const owner = { authorization: `Bearer ${session.access_token}`, "x-account-id": name };
      /** Creates another member of the account and signs in as them. */
      const member = async (role: string) => {
        const email = await user(name, PASSWORD, `${role}@${name}.example`, role);
        return login({ account: name, email, password: PASSWORD });
      };
      return Object.assign(await equip(name, owner, domain_allowlist), { email, session, member });
    },
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;
export type Tenant = Awaited<ReturnType<ReturnType<typeof serviceAt>["equip"]>>;
export type Account = Awaited<ReturnType<Service["account"]>>;

/** Starts a customer's site with its own origin. Every path returns the current `html`. */
export async function startSite(csp: string) {
  let html = "";
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": csp }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    at: (host: string) => `http://${host}:${port}`,
    show(body: string) {
      html = `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main>${body}</main></body></html>`;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
