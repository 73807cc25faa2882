import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type {} from "../../src/browser/widget/index.ts";
import { sharedBrowser } from "../process/support/browser.ts";
import { WAIT_TIMEOUT_MS } from "../support/wait-timeout.ts";
import { type Service, startService, startSite, type Tenant } from "./service.ts";

export { serious } from "./axe.ts";
export { standStill } from "./stand-still.ts";

/** The address of a runtime that does not exist. The tests play its part. */
export const RUNTIME = "wss://runtime.example/chat";

type Site = Awaited<ReturnType<typeof startSite>>;
let browser: Browser;
let service: Service;
/** A site on the key's allowlist, and one that is not on it. */
let sites: { shop: Site; stranger: Site };

/**
 * Starts a browser and a service with these settings before the tests. The sites' policies allow what docs/widget.md
 * requires.
 */
export function serve(vars: Record<string, string>): void {
  beforeAll(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startService(vars)]);
    const runtime = vars.VOICE_RUNTIME_URL ? "wss://runtime.example" : service.origin.replace(/^http/, "ws");
    // The policy allows nothing else: no style-src, and nothing inline.
    const csp = `default-src 'none'; script-src ${service.origin}; connect-src ${service.origin} ${runtime}; media-src blob:; require-trusted-types-for 'script'`;
    sites = { shop: await startSite(csp), stranger: await startSite(csp) };
  });
  afterAll(() => Promise.all([service, sites.shop, sites.stranger].map((each) => each.close())));
}

interface Visit {
  page: Page;
  account: Tenant;
  /** The events that the widget sent to its page. */
  events: (name: string) => Promise<Record<string, unknown>[]>;
  /** The service's paths that the page has requested, in order. */
  calls: string[];
  /** The sockets that the widget opened to the runtime. */
  sockets: WebSocketRoute[];
  /** The frames that the widget sent to the runtime. */
  frames: Record<string, unknown>[];
}

interface Stage {
  site?: keyof typeof sites;
  /** Another host name of the site. */
  host?: string;
  settings?: Record<string, string>;
  policy?: Record<string, unknown>;
  agent?: Record<string, unknown>;
  attributes?: (account: Tenant) => Promise<string>;
  disabled?: boolean;
  /** The agent's FAQs. */
  faqs?: { name: string; title: string; content: string }[];
  /** The page's own style, added in a way that its policy allows. */
  style?: string;
  clock?: boolean;
  /** Runs on the page as soon as `window.Switchboard` exists. */
  atOnce?: () => void;
  dark?: boolean;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<void>;
}

/** Opens a visitor's page with the widget of a new account. */
export async function visit(stage: Stage = {}): Promise<Visit> {
  const account = await service.tenant([sites.shop.origin, sites.shop.at("*.shop.localhost")]);
  const { server, agent, widgetKey } = account;
  if (stage.settings) await server("PATCH", "/api/v1/widget-settings", stage.settings);
  if (stage.policy) await server("PATCH", `/api/v1/agents/${agent.id}/widget-settings`, stage.policy);
  if (stage.agent) await server("PATCH", `/api/v1/agents/${agent.id}`, stage.agent);
  for (const faq of stage.faqs ?? []) {
    await server("POST", "/api/v1/faqs", faq);
    await server("POST", `/api/v1/agents/${agent.id}/faqs`, { faq_id: faq.name });
  }
  if (stage.disabled) await server("PATCH", `/api/v1/widget-keys/${widgetKey.id}`, { disabled: true });
  const more = (await stage.attributes?.(account)) ?? "";
  const site = sites[stage.site ?? "shop"];
  const script = `<script src="${service.origin}/widget.js" data-client-key="${widgetKey.key}" ${more} async></script>`;
  site.show(`<h1>Shop</h1><a href="#cart">Cart</a>${script}`);

  const context = await browser.newContext({
    viewport: { width: 1000, height: 720 },
    colorScheme: stage.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const calls: string[] = [];
  const frames: Record<string, unknown>[] = [];
  const sockets: WebSocketRoute[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin === service.origin && request.method() !== "OPTIONS") calls.push(url.pathname);
  });
  await context.routeWebSocket(RUNTIME, (socket) => {
    sockets.push(socket);
    socket.onMessage((data) => frames.push(JSON.parse(String(data))));
  });
  await page.addInitScript(() => {
    const seen: [string, unknown][] = [];
    Object.assign(window, { seen });
    addEventListener("switchboard:ready", () => {
      for (const name of ["session", "error", "open", "close", "message"] as const) {
        window.Switchboard?.on(name, (detail) => seen.push([name, detail]));
      }
    });
  });
  await stage.prepare?.(page);
  if (stage.style) await page.addInitScript(adoptStyle, stage.style);
  if (stage.clock) await page.clock.install();
  if (stage.atOnce) await page.addInitScript(`addEventListener("switchboard:ready", ${stage.atOnce})`);
  await page.goto(stage.host ? site.at(stage.host) : site.origin);
  const events = async (name: string) => {
    const seen = await page.evaluate(() => (window as unknown as { seen: [string, Record<string, unknown>][] }).seen);
    return seen.filter(([each]) => each === name).map(([, detail]) => detail);
  };
  return { page, account, events, calls, sockets, frames };
}

/** Adopts a constructed style sheet, which no policy restricts. */
function adoptStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}

/** Returns the lines of the conversation as they are read. */
export const lines = (page: Page) => panel(page).locator(".line .words").allInnerTexts();
/** Writes a message and sends it. */
export async function write(page: Page, text: string): Promise<void> {
  const box = panel(page).getByRole("textbox", { name: "Message to Ada" });
  await box.fill(text);
  await box.press("Enter");
}
export const status = (page: Page) => panel(page).getByRole("status").textContent();

export const launcher = (page: Page) => page.getByRole("button", { name: "Talk to us" });
export const panel = (page: Page) => page.getByRole("dialog", { name: "Ada" });
export const session = async ({ events }: Visit, nth: number) => {
  await expect.poll(() => events("session")).toHaveLength(nth);
  return (await events("session"))[nth - 1] as { access_token: string; expires_at: string; visitor: { id: string } };
};
/** Returns the token that the account's backend passes to its page. */
export const userToken = async ({ server, widgetKey }: Tenant, user_id: string) => {
  const body = { client_key: widgetKey.key, user_id };
  return (await server<{ visitor_token: string }>("POST", "/api/v1/widget/auth/user-token", body)).visitor_token;
};
export const introspect = ({ account }: Visit, token: string) =>
  account.server<Record<string, unknown>>("POST", "/api/v1/widget/auth/introspect", { token });
