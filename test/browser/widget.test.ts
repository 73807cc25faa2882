import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type {} from "../../src/widget/loader/index.ts";
import { launch } from "./browser.ts";
import { type Account, type Service, startService, startSite } from "./service.ts";

/** For a person to look at. */
const SCREENSHOTS = join(tmpdir(), "switchboard-widget");
const RUNTIME = "wss://runtime.example/chat";
const POSITIONS = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"] as const;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser: Browser;
let service: Service;
let shop: Awaited<ReturnType<typeof startSite>>;
let stranger: Awaited<ReturnType<typeof startSite>>;

beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  [browser, service] = await Promise.all([launch(), startService({ VOICE_RUNTIME_URL: RUNTIME })]);
  // What docs/widget.md says a strict policy needs, and nothing else: no style-src, nothing inline.
  const csp = `default-src 'none'; script-src ${service.origin}; connect-src ${service.origin} wss://runtime.example; require-trusted-types-for 'script'`;
  [shop, stranger] = await Promise.all([startSite(csp), startSite(csp)]);
});
afterAll(() => Promise.all([browser, service, shop, stranger].map((each) => each?.close())));

interface Visit {
  page: Page;
  account: Account;
  /** What the widget told its page. */
  events: (name: string) => Promise<Record<string, unknown>[]>;
  /** Paths of the service that the page has called, in order. */
  calls: string[];
  /** The sockets it opened to the runtime. */
  sockets: WebSocketRoute[];
  /** The frames it sent there. */
  frames: Record<string, unknown>[];
}

interface Stage {
  site?: typeof shop;
  settings?: Record<string, string>;
  policy?: Record<string, unknown>;
  attributes?: (account: Account) => Promise<string>;
  disabled?: boolean;
  clock?: boolean;
  dark?: boolean;
}

/** A visitor on a page with the widget of a new account. */
async function visit(stage: Stage = {}): Promise<Visit> {
  const account = await service.account([shop.origin]);
  const { server, agent, widgetKey } = account;
  if (stage.settings) await server("PATCH", "/api/v1/widget-settings", stage.settings);
  if (stage.policy) await server("PATCH", `/api/v1/agents/${agent.id}/widget-settings`, stage.policy);
  if (stage.disabled) await server("PATCH", `/api/v1/widget-keys/${widgetKey.id}`, { disabled: true });
  const more = (await stage.attributes?.(account)) ?? "";
  const site = stage.site ?? shop;
  const script = `<script src="${service.origin}/widget.js" data-client-key="${widgetKey.key}" ${more} async></script>`;
  site.show(`<h1>Shop</h1><a href="#cart">Cart</a>${script}`);

  const context = await browser.newContext({
    viewport: { width: 1000, height: 720 },
    colorScheme: stage.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const calls: string[] = [];
  const frames: Record<string, unknown>[] = [];
  const sockets: WebSocketRoute[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin === service.origin && request.method() !== "OPTIONS") calls.push(url.pathname);
  });
  await page.routeWebSocket(RUNTIME, (socket) => {
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
  if (stage.clock) await page.clock.install();
  await page.goto(site.origin);
  const events = async (name: string) => {
    const seen = await page.evaluate(() => (window as unknown as { seen: [string, Record<string, unknown>][] }).seen);
    return seen.filter(([each]) => each === name).map(([, detail]) => detail);
  };
  return { page, account, events, calls, sockets, frames };
}

const launcher = (page: Page) => page.getByRole("button", { name: "Talk to us" });
const panel = (page: Page) => page.getByRole("dialog", { name: "Ada" });
const session = async ({ events }: Visit, nth: number) => {
  await expect.poll(() => events("session")).toHaveLength(nth);
  return (await events("session"))[nth - 1] as { access_token: string; expires_at: string; visitor: { id: string } };
};
const introspect = ({ account }: Visit, token: string) =>
  account.server<Record<string, unknown>>("POST", "/api/v1/widget/auth/introspect", { token });

describe("the widget on a page", () => {
  it("is small", async () => {
    const { byteLength } = gzipSync(await readFile(join(import.meta.dirname, "../../dist/assets/widget.js")));
    expect(byteLength).toBeLessThan(12 * 1024);
  });

  it("shows the launcher, greets, and begins a guest's session only when it is opened", async () => {
    const visitor = await visit({ settings: { privacy_notice: "We keep what you write for 30 days." } });
    await launcher(visitor.page).click();
    await expect.poll(() => panel(visitor.page).getByText("Hello, I am Ada.").isVisible()).toBe(true);
    expect(await panel(visitor.page).getByText("We keep what you write").isVisible()).toBe(true);
    const { access_token } = await session(visitor, 1);
    expect(await introspect(visitor, access_token)).toMatchObject({ active: true, visitor_type: "guest" });
    expect(visitor.calls).toEqual(["/widget.js", "/api/v1/widget/config", "/api/v1/widget/auth/guest"]);
    expect(Object.keys((await visitor.events("session"))[0] ?? {})).not.toContain("refresh_token");
  });

  it("stays away from a page that is not on the list", async () => {
    const visitor = await visit({ site: stranger });
    await expect.poll(() => visitor.events("error")).toMatchObject([{ code: "unreachable" }]);
    expect(await launcher(visitor.page).count()).toBe(0);
  });

  it("stays away where the key is disabled or the widget switched off", async () => {
    const disabled = await visit({ disabled: true });
    await expect.poll(() => disabled.events("error")).toMatchObject([{ code: "client_key_unknown" }]);
    expect(await launcher(disabled.page).count()).toBe(0);
    const off = await visit({ policy: { widget_enabled: false } });
    await expect.poll(() => off.events("error")).toMatchObject([{ code: "widget_disabled" }]);
    expect(await launcher(off.page).count()).toBe(0);
  });

  it("leaves the page's own styles alone and is left alone by them", async () => {
    const visitor = await visit();
    await launcher(visitor.page).waitFor();
    const before = await launcher(visitor.page).boundingBox();
    const sheets = await visitor.page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("body * { display: none !important; font-size: 40px !important; opacity: 0 !important }");
      const count = document.styleSheets.length + document.adoptedStyleSheets.length;
      document.adoptedStyleSheets = [sheet];
      return count;
    });
    expect(sheets).toBe(0);
    expect(await launcher(visitor.page).boundingBox()).toEqual(before);
  });
});

describe("the visitor's session", () => {
  it("is renewed before it expires, for the same visitor, and presented to the runtime again", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    const first = await session(visitor, 1);
    await expect.poll(() => visitor.frames).toHaveLength(1);
    await visitor.page.clock.fastForward("11:50");
    expect(await visitor.events("session")).toHaveLength(1);
    await visitor.page.clock.fastForward("00:15");
    const second = await session(visitor, 2);
    expect(second.visitor).toEqual(first.visitor);
    expect(Date.parse(second.expires_at)).toBeGreaterThan(Date.parse(first.expires_at));
    await expect
      .poll(() => visitor.frames)
      .toEqual([first, second].map(({ access_token }) => ({ type: "session", access_token })));
    await visitor.page.clock.fastForward("12:05");
    expect((await session(visitor, 3)).visitor).toEqual(first.visitor);
  });

  it("is renewed after a network failure, as soon as it goes", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    const first = await session(visitor, 1);
    await visitor.page.route("**/auth/refresh", (route) => route.abort(), { times: 1 });
    await visitor.page.clock.fastForward("12:05");
    await expect.poll(() => visitor.calls.filter((path) => path.endsWith("/refresh"))).toHaveLength(1);
    await expect
      .poll(async () => {
        await visitor.page.clock.fastForward("00:31");
        return visitor.events("session");
      })
      .toHaveLength(2);
    expect((await session(visitor, 2)).visitor).toEqual(first.visitor);
  });

  it("ends when the key is disabled", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    await session(visitor, 1);
    const { server, widgetKey } = visitor.account;
    await server("PATCH", `/api/v1/widget-keys/${widgetKey.id}`, { disabled: true });
    await visitor.page.clock.fastForward("12:05");
    await expect.poll(() => visitor.events("error")).toMatchObject([{ code: "session_ended" }]);
    expect(await visitor.events("session")).toHaveLength(1);
  });

  it("is the user's whose token the page supplies", async () => {
    const token = async ({ server, widgetKey }: Account, user_id: string) => {
      const body = { client_key: widgetKey.key, user_id };
      return (await server<{ visitor_token: string }>("POST", "/api/v1/widget/auth/user-token", body)).visitor_token;
    };
    const visitor = await visit({
      policy: { auth_mode: "authenticated" },
      attributes: async (account) => `data-visitor-token="${await token(account, "user-7")}"`,
    });
    expect((await session(visitor, 1)).visitor).toEqual({ id: "user-7", type: "user" });
    const next = await token(visitor.account, "user-8");
    expect(await visitor.page.evaluate((value) => window.Switchboard?.identify(value), next)).toBe(true);
    expect((await session(visitor, 2)).visitor).toEqual({ id: "user-8", type: "user" });
    expect(await visitor.page.evaluate((value) => window.Switchboard?.identify(value), next)).toBe(false);
    expect(await visitor.events("error")).toMatchObject([{ code: "token_invalid" }]);
  });

  it("is not begun for a guest where only users may talk", async () => {
    const visitor = await visit({ policy: { auth_mode: "authenticated" } });
    await launcher(visitor.page).click();
    await expect.poll(() => panel(visitor.page).getByRole("status").textContent()).toBe("Please sign in to chat.");
    expect(await visitor.events("error")).toMatchObject([{ code: "sign_in_required" }]);
    expect(visitor.calls).not.toContain("/api/v1/widget/auth/guest");
  });
});

describe("the conversation", () => {
  it("goes over the runtime's socket, session first", async () => {
    const visitor = await visit();
    await launcher(visitor.page).click();
    const { access_token } = await session(visitor, 1);
    await expect.poll(() => visitor.frames).toEqual([{ type: "session", access_token }]);
    const box = panel(visitor.page).getByRole("textbox", { name: "Message to Ada" });
    await box.fill("Where is my parcel?");
    await box.press("Enter");
    expect(visitor.frames).toHaveLength(1);
    const [socket] = visitor.sockets;
    socket?.send(JSON.stringify({ type: "ready" }));
    const said = { type: "message", id: expect.any(String), text: "Where is my parcel?" };
    await expect.poll(() => visitor.frames.slice(1)).toEqual([said]);
    socket?.send(JSON.stringify({ type: "message", text: "On <b>its</b> way." }));
    await expect.poll(() => panel(visitor.page).getByText("On <b>its</b> way.").isVisible()).toBe(true);
    expect(await visitor.events("message")).toEqual([
      { from: "visitor", text: "Where is my parcel?" },
      { from: "agent", text: "On <b>its</b> way." },
    ]);
  });

  it("comes back by itself, and not where the runtime does not take the session", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    await expect.poll(() => visitor.frames).toHaveLength(1);
    await visitor.sockets[0]?.close({ code: 1011 });
    await expect.poll(() => panel(visitor.page).getByRole("status").textContent()).toBe("Reconnecting…");
    await visitor.page.clock.fastForward(1000);
    await expect.poll(() => visitor.frames).toHaveLength(2);
    await visitor.sockets[1]?.close({ code: 4401 });
    await expect.poll(() => visitor.events("error")).toMatchObject([{ code: "session_refused" }]);
    await visitor.page.clock.fastForward("01:00");
    expect(visitor.sockets).toHaveLength(2);
  });
});

describe("without a mouse, and without sight", () => {
  it("opens, keeps the focus inside, and gives it back", async () => {
    const { page, events } = await visit();
    const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className ?? "");
    await launcher(page).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("launcher");
    expect(await launcher(page).getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("Enter");
    expect(await launcher(page).getAttribute("aria-expanded")).toBe("true");
    const order: string[] = [];
    for (let i = 0; i < 5; i++) {
      order.push(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName ?? ""));
      await page.keyboard.press("Tab");
    }
    expect(order).toEqual(["TEXTAREA", "BUTTON", "BUTTON", "DIV", "TEXTAREA"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Escape");
    expect(await panel(page).count()).toBe(0);
    expect(await focused()).toBe("launcher");
    expect([await events("open"), await events("close")].map(({ length }) => length)).toEqual([1, 1]);
  });

  it.each([
    { dark: false, settings: {} },
    { dark: true, settings: {} },
    { dark: false, settings: { primary_color: "#ff0", accent_color: "#7fffd4" } },
    { dark: true, settings: { primary_color: "#777777", accent_color: "#808080" } },
  ])("has no serious finding of axe: %j", async (stage) => {
    const settings = { ...stage.settings, privacy_notice: "We keep what you write for 30 days." };
    const visitor = await visit({ ...stage, settings });
    const { page, sockets } = visitor;
    await launcher(page).waitFor();
    expect(await serious(page)).toEqual([]);
    await launcher(page).click();
    await expect.poll(() => sockets).toHaveLength(1);
    sockets[0]?.send(JSON.stringify({ type: "ready" }));
    await panel(page).getByRole("textbox").fill("Where is my parcel?");
    await panel(page).getByRole("button", { name: "Send" }).click();
    expect(await serious(page)).toEqual([]);
  });

  it("does not move for who asked for less motion", async () => {
    const { page } = await visit();
    await launcher(page).click();
    const animation = () => panel(page).evaluate((node) => getComputedStyle(node).animationName);
    expect(await animation()).toBe("none");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await animation()).toBe("rise");
  });
});

describe("where the launcher is", () => {
  it.each(POSITIONS)("%s", async (launcher_position) => {
    const { page } = await visit({
      settings: { launcher_position, primary_color: "#4c1d95", accent_color: "#be185d" },
    });
    await launcher(page).waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, `${launcher_position}.png`) });
    await launcher(page).click();
    await panel(page).waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, `${launcher_position}-open.png`) });
    for (const box of [await launcher(page).boundingBox(), await panel(page).boundingBox()]) {
      if (!box) throw new Error("not shown");
      const { x, y, width, height } = box;
      const [left, top] = [x, y];
      const [right, bottom] = [1000 - x - width, 720 - y - height];
      expect(Math.min(left, top, right, bottom)).toBeGreaterThanOrEqual(0);
      if (launcher_position.includes("left")) expect(left).toBe(20);
      else if (launcher_position.includes("right")) expect(right).toBe(20);
      else expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
    }
    const box = await launcher(page).boundingBox();
    expect(launcher_position.startsWith("top") ? box?.y : 720 - (box?.y ?? 0) - (box?.height ?? 0)).toBe(20);
  });

  it("fills a small screen with the panel", async () => {
    const { page } = await visit();
    await page.setViewportSize({ width: 380, height: 700 });
    await launcher(page).click();
    expect(await panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 380, height: 700 });
  });
});

/** The ids of what axe finds serious or worse. */
async function serious(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { run } = (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe;
    const { violations } = await run();
    return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id);
  });
}
interface Violation {
  id: string;
  impact: string;
}
