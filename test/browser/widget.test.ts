import { mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import {
  introspect,
  launcher,
  panel,
  RUNTIME,
  serious,
  serve,
  session,
  standStill,
  userToken,
  visit,
} from "./visit.ts";

serve({ VOICE_RUNTIME_URL: RUNTIME });

/** The folder for screenshots, to be reviewed by hand. */
const SCREENSHOTS = join(tmpdir(), "switchboard-widget");
const POSITIONS = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"] as const;

describe("the widget on a page", () => {
  it("the widget is small", async () => {
    const { byteLength } = gzipSync(await readFile(join(import.meta.dirname, "../../dist/assets/widget.js")), {
      level: 9,
    });
    expect(byteLength).toBeLessThan(13 * 1024);
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

  it("does not appear on a page that is not on the allowlist", async () => {
    const visitor = await visit({ site: "stranger" });
    await expect.poll(() => visitor.events("error")).toMatchObject([{ code: "unreachable" }]);
    expect(await launcher(visitor.page).count()).toBe(0);
    const above = await visit({ host: "shop.localhost" });
    await expect.poll(() => above.events("error")).toMatchObject([{ code: "unreachable" }]);
  });

  it("appears on every subdomain that a wildcard matches", async () => {
    const visitor = await visit({ host: "pay.shop.localhost" });
    await launcher(visitor.page).click();
    expect((await session(visitor, 1)).visitor).toMatchObject({ type: "guest" });
  });

  it("does not appear if the key is disabled or the widget switched off", async () => {
    const disabled = await visit({ disabled: true });
    await expect.poll(() => disabled.events("error")).toMatchObject([{ code: "client_key_unknown" }]);
    expect(await launcher(disabled.page).count()).toBe(0);
    const off = await visit({ policy: { widget_enabled: false } });
    await expect.poll(() => off.events("error")).toMatchObject([{ code: "widget_disabled" }]);
    expect(await launcher(off.page).count()).toBe(0);
  });

  it("has an API for the page: it can be opened before it has loaded, and listeners added late and removed", async () => {
    const visitor = await visit({ atOnce: () => window.Switchboard?.open() });
    const { page } = visitor;
    await panel(page).waitFor();
    const first = await session(visitor, 1);
    const late = await page.evaluate(() => {
      const seen: unknown[] = [];
      const listener = (detail: unknown) => seen.push(detail);
      window.Switchboard?.on("session", listener).on("close", listener).off("close", listener);
      window.Switchboard?.close();
      return seen;
    });
    expect(late).toEqual([first]);
    expect(await panel(page).count()).toBe(0);
    expect(await visitor.events("close")).toHaveLength(1);
  });

  it("does not affect the page's styles and is not affected by them", async () => {
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
  it("a visitor's session is renewed before it expires, for the same visitor", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    const first = await session(visitor, 1);
    await expect.poll(() => visitor.frames).toHaveLength(1);
    await standStill(visitor.page);
    // The session is renewed after 12 of its 15 minutes.
    const began = Date.parse(first.expires_at) - 15 * 60_000;
    const age = (await visitor.page.evaluate(() => Date.now())) - began;
    await visitor.page.clock.fastForward(11 * 60_000 - age);
    expect(await visitor.events("session")).toHaveLength(1);
    await visitor.page.clock.fastForward("03:00");
    const second = await session(visitor, 2);
    expect(second.visitor).toEqual(first.visitor);
    expect(Date.parse(second.expires_at)).toBeGreaterThan(Date.parse(first.expires_at));
    await expect
      .poll(() => visitor.frames)
      .toEqual([first, second].map(({ access_token }) => ({ type: "session", access_token })));
    await visitor.page.clock.fastForward("12:05");
    expect((await session(visitor, 3)).visitor).toEqual(first.visitor);
  });

  it("a visitor's session is renewed as soon as possible after a network failure", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    const first = await session(visitor, 1);
    await visitor.page.route("**/auth/refresh", (route) => route.abort(), { times: 1 });
    await visitor.page.clock.fastForward("12:05");
    await expect.poll(() => visitor.calls.filter((path) => path.endsWith("/refresh"))).toHaveLength(1);
    await expect
      .poll(async () => {
        await visitor.page.clock.fastForward("00:31");
        return visitor.calls.filter((path) => path.endsWith("/refresh"));
      })
      .toHaveLength(2);
    expect((await session(visitor, 2)).visitor).toEqual(first.visitor);
  });

  it("a visitor's session is renewed once, even if several events wake the page", async () => {
    const visitor = await visit({ clock: true });
    const { page } = visitor;
    await launcher(page).click();
    const first = await session(visitor, 1);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/auth/refresh", async (route) => {
      await held;
      await route.continue();
    });
    const refreshes = () => visitor.calls.filter((path) => path.endsWith("/refresh"));
    await page.clock.fastForward("12:05");
    await expect.poll(refreshes).toHaveLength(1);
    expect(await page.evaluate(() => window.Switchboard?.identify("no.visitor.token"))).toBe(false);
    await page.evaluate(() => {
      for (const wake of ["pageshow", "online", "pageshow"]) dispatchEvent(new Event(wake));
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.clock.fastForward("00:30");
    release();
    expect((await session(visitor, 2)).visitor).toEqual(first.visitor);
    await page.clock.fastForward("12:05");
    expect((await session(visitor, 3)).visitor).toEqual(first.visitor);
    expect(refreshes()).toHaveLength(2);
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

  it("a visitor's session is that of the user whose token the page supplies", async () => {
    const visitor = await visit({
      policy: { auth_mode: "authenticated" },
      attributes: async (account) => `data-visitor-token="${await userToken(account, "user-7")}"`,
    });
    expect((await session(visitor, 1)).visitor).toEqual({ id: "user-7", type: "user" });
    const next = await userToken(visitor.account, "user-8");
    expect(await visitor.page.evaluate((value) => window.Switchboard?.identify(value), next)).toBe(true);
    expect((await session(visitor, 2)).visitor).toEqual({ id: "user-8", type: "user" });
    expect(await visitor.page.evaluate((value) => window.Switchboard?.identify(value), next)).toBe(false);
    expect(await visitor.events("error")).toMatchObject([{ code: "token_invalid" }]);
  });

  it.each([{ policy: { auth_mode: "authenticated" } }, { agent: { auth_mode: "authenticated" } }])(
    "a visitor's session does not begin for a guest if only users may talk: %o",
    async (stage) => {
      const visitor = await visit(stage);
      const { page } = visitor;
      await launcher(page).click();
      await expect.poll(() => panel(page).getByRole("status").textContent()).toBe("Please sign in to chat.");
      expect(await visitor.events("error")).toMatchObject([{ code: "sign_in_required" }]);
      expect(visitor.calls).not.toContain("/api/v1/widget/auth/guest");
      expect(await panel(page).getByRole("textbox").count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe("close");
      await page.evaluate((value) => window.Switchboard?.identify(value), await userToken(visitor.account, "user-7"));
      await expect.poll(() => visitor.frames).toHaveLength(1);
      expect(await panel(page).getByRole("textbox").count()).toBe(1);
    },
  );
});

describe("the conversation", () => {
  it("uses the runtime's socket with the session as the first frame", async () => {
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
    const question = { type: "message", id: expect.any(String), text: "Where is my parcel?" };
    await expect.poll(() => visitor.frames.slice(1)).toEqual([question]);
    socket?.send(JSON.stringify({ type: "message", text: "On <b>its</b> way." }));
    await expect.poll(() => panel(visitor.page).getByText("On <b>its</b> way.").isVisible()).toBe(true);
    expect(await visitor.events("message")).toEqual([
      { from: "visitor", text: "Where is my parcel?" },
      { from: "agent", text: "On <b>its</b> way." },
    ]);
  });

  it("reconnects by itself, unless the runtime refuses the session", async () => {
    const visitor = await visit({ clock: true });
    await launcher(visitor.page).click();
    await expect.poll(() => visitor.frames).toHaveLength(1);
    await standStill(visitor.page);
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

describe("the widget without mouse or sight", () => {
  it("opens, keeps the focus inside, and restores it", async () => {
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
  ])("the widget has no serious axe violation: %j", async (stage) => {
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

  it("has no animations with prefers-reduced-motion", async () => {
    const { page } = await visit();
    await launcher(page).click();
    const animation = () => panel(page).evaluate((node) => getComputedStyle(node).animationName);
    expect(await animation()).toBe("none");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await animation()).toBe("rise");
  });
});

describe("the launcher's position", () => {
  beforeAll(() => mkdir(SCREENSHOTS, { recursive: true }));

  it.each(POSITIONS)("the launcher can be placed at %s", async (launcher_position) => {
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
