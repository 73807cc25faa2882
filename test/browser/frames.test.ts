import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  launcher,
  lines,
  panel,
  RUNTIME,
  serious,
  serve,
  standStill,
  status,
  userToken,
  visit,
  write,
} from "./visit.ts";

serve({ VOICE_RUNTIME_URL: RUNTIME });

/** For a person to look at. */
const SCREENSHOTS = join(tmpdir(), "switchboard-widget");
beforeAll(() => mkdir(SCREENSHOTS, { recursive: true }));

const GREETING = "Hello, I am Ada. What can I do for you?";
const button = (page: Page, name: string) => panel(page).getByRole("button", { name });
const sign = (page: Page) => panel(page).locator(".sign");

/** A visitor whose panel is open, and the runtime's side of the socket. */
async function talk(stage: Parameters<typeof visit>[0] = {}) {
  const visitor = await visit(stage);
  await launcher(visitor.page).click();
  await expect.poll(() => visitor.frames).toHaveLength(1);
  const tell = (...frames: object[]) => {
    for (const frame of frames) visitor.sockets.at(-1)?.send(JSON.stringify(frame));
  };
  tell({ type: "ready" });
  return { ...visitor, tell, close: (code: number) => visitor.sockets.at(-1)?.close({ code }) };
}

describe("what the runtime says", () => {
  it("grows in one line, of which the whole is the last word", async () => {
    const { page, tell, events } = await talk();
    tell({ type: "delta", text: "Good **mor" }, { type: "delta", text: "ning**, we" });
    await expect.poll(() => lines(page)).toEqual(["Good morning, we"]);
    tell({ type: "message", text: "Good **morning**. We are open." });
    await expect.poll(() => lines(page)).toEqual(["Good morning. We are open."]);
    expect(await panel(page).locator("strong").allInnerTexts()).toEqual(["morning"]);
    await write(page, "Where?");
    tell({ type: "delta", text: "At the old" });
    await expect.poll(() => lines(page)).toHaveLength(3);
    // Cut off: what was said stays, and the answer to the next question is another line.
    await write(page, "No, when?");
    tell({ type: "message", text: "Now." });
    await expect
      .poll(() => lines(page))
      .toEqual(["Good morning. We are open.", "Where?", "At the old", "No, when?", "Now."]);
    expect((await events("message")).map(({ text }) => text)).not.toContain("At the old");
  });

  it("puts the greeting in the place of the one on show, also where the visitor was faster", async () => {
    const first = await talk();
    expect(await lines(first.page)).toEqual([GREETING]);
    first.tell({ type: "delta", text: "Hello, I am" }, { type: "message", text: GREETING });
    await expect.poll(() => first.events("message")).toHaveLength(1);
    expect(await lines(first.page)).toEqual([GREETING]);

    const faster = await talk();
    await write(faster.page, "Where are you?");
    faster.tell(
      { type: "delta", text: "Hello, I am" },
      { type: "delta", text: " Ada." },
      { type: "message", text: GREETING },
    );
    faster.tell({ type: "delta", text: "Hello again" }, { type: "message", text: "Hello again, Mill Lane." });
    await expect.poll(() => lines(faster.page)).toEqual([GREETING, "Where are you?", "Hello again, Mill Lane."]);

    const silent = await talk();
    await write(silent.page, "Where are you?");
    silent.tell({ type: "message", text: "Mill Lane." });
    await expect.poll(() => lines(silent.page)).toEqual([GREETING, "Where are you?", "Mill Lane."]);
  });

  it("is on its way, and what it takes is told where a visitor cares", async () => {
    const { page, tell } = await talk();
    await write(page, "Where is my order?");
    tell({ type: "typing" });
    await expect.poll(() => status(page)).toBe("Ada is typing…");
    expect(await sign(page).getAttribute("aria-hidden")).toBe("true");
    const animation = () =>
      sign(page)
        .locator("i")
        .first()
        .evaluate((dot) => getComputedStyle(dot).animationName);
    expect(await animation()).toBe("none");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await animation()).toBe("breathe");
    tell({ type: "tool", name: "set_disposition", state: "running" }, { type: "tool", name: "x", state: "done" });
    tell({ type: "tool", name: "look_up_order", state: "running" });
    await expect.poll(() => sign(page).innerText()).toBe("Looking that up…");
    expect(await status(page)).toBe("Looking that up…");
    await page.screenshot({ path: join(SCREENSHOTS, "looking-up.png") });
    tell({ type: "message", text: "It is on its way." });
    await expect.poll(() => sign(page).count()).toBe(0);
    expect(await status(page)).toBe("");
    expect(await panel(page).innerText()).not.toContain("disposition");
  });

  it("has lists and links that lead away safely; a visitor's words stay as they are", async () => {
    const { page, tell } = await talk();
    await write(page, "**hello** <i>there</i> [x](https://a.example)");
    const text =
      "We have:\n\n- **City** bikes\n- `cargo` bikes\n\nSee [all](https://shop.example/all) or [none](javascript:alert(1)).";
    tell({ type: "message", text });
    await expect.poll(() => panel(page).locator("li").allInnerTexts()).toEqual(["City bikes", "cargo bikes"]);
    const links = panel(page).locator("a");
    expect(await links.allInnerTexts()).toEqual(["all"]);
    expect(
      await links.evaluateAll((all) =>
        all.map((a) => [a.getAttribute("href"), a.getAttribute("target"), a.getAttribute("rel")]),
      ),
    ).toEqual([["https://shop.example/all", "_blank", "noopener noreferrer nofollow"]]);
    expect((await lines(page))[1]).toBe("**hello** <i>there</i> [x](https://a.example)");
    expect(await serious(page)).toEqual([]);
  });
});

describe("how it parts", () => {
  it("ends by the runtime's word", async () => {
    const { page, tell } = await talk();
    tell({ type: "message", text: "Goodbye." }, { type: "ended", reason: "agent_ended" });
    await button(page, "Start again").waitFor();
    expect(await serious(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, "ended.png") });
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe("way");
  });

  it("begins again no sooner than a second after the end, with a session renewed since", async () => {
    const { page, tell, sockets, frames, calls } = await talk({ clock: true });
    await write(page, "bye");
    await standStill(page);
    tell({ type: "message", text: "Goodbye." }, { type: "ended", reason: "agent_ended" });
    await button(page, "Start again").click();
    expect(calls.filter((path) => path.endsWith("/refresh"))).toHaveLength(0);
    await page.clock.fastForward(1200);
    await page.clock.resume();
    await expect.poll(() => sockets).toHaveLength(2);
    expect(calls.filter((path) => path.endsWith("/refresh"))).toHaveLength(1);
    await expect.poll(() => frames.at(-1)?.type).toBe("session");
    expect(frames.at(-1)?.access_token).not.toBe(frames[0]?.access_token);
    expect(await lines(page)).toEqual([GREETING]);
    expect(await panel(page).getByRole("textbox").count()).toBe(1);
  });

  it.each([
    { code: 4403, why: "This conversation has ended.", way: "Start again", error: [] },
    { code: 4409, why: "This conversation was opened elsewhere.", way: "Continue here", error: [] },
    { code: 4401, why: "This chat is not available right now.", way: "Try again", error: ["session_refused"] },
    { code: 4400, why: "This chat is not available right now.", way: "Try again", error: ["session_refused"] },
  ])("says why it does not come back by itself: $code", async ({ code, why, way, error }) => {
    const { page, close, sockets, events } = await talk({ clock: true });
    await standStill(page);
    await close(code);
    await expect.poll(() => status(page)).toBe(why);
    expect(await panel(page).getByRole("textbox").count()).toBe(0);
    await page.clock.fastForward("01:00");
    expect(sockets).toHaveLength(1);
    expect((await events("error")).map((each) => each.code)).toEqual(error);
    await button(page, way).click();
    await page.clock.fastForward(1200);
    await expect.poll(() => sockets).toHaveLength(2);
    expect(await panel(page).getByRole("textbox").count()).toBe(1);
  });

  it.each([4408, 4429, 1006, 1011])("comes back by itself: %i", async (code) => {
    const { page, close, sockets } = await talk({ clock: true });
    await standStill(page);
    await close(code === 1006 ? 3000 : code);
    await expect.poll(() => status(page)).toBe("Reconnecting…");
    await page.clock.fastForward(1000);
    if (code === 4429) {
      expect(sockets).toHaveLength(1);
      await page.clock.fastForward(8000);
    }
    await expect.poll(() => sockets).toHaveLength(2);
  });

  it("opens another socket for who signs in meanwhile", async () => {
    const { page, sockets, frames, account, tell } = await talk();
    await write(page, "hello");
    tell({ type: "message", text: "Hi." });
    await expect.poll(() => lines(page)).toHaveLength(3);
    const token = await userToken(account, "user-7");
    await page.evaluate((value) => window.Switchboard?.identify(value), token);
    await expect.poll(() => sockets).toHaveLength(2);
    await expect.poll(() => frames.filter(({ type }) => type === "session")).toHaveLength(2);
    expect(await lines(page)).toEqual([GREETING]);
  });
});

describe("where the visitor writes", () => {
  it.each([true, false])("grows with the text, where a browser does so by itself: %s", async (native) => {
    const visitor = await visit();
    if (!native) await visitor.page.evaluate(withoutFieldSizing);
    const { page } = visitor;
    await launcher(page).click();
    const box = panel(page).getByRole("textbox");
    const height = async () => (await box.boundingBox())?.height ?? 0;
    expect(await height()).toBe(40);
    await box.pressSequentially("one");
    await box.press("Shift+Enter");
    await box.pressSequentially("two");
    expect(await height()).toBe(64);
    await box.fill("line\n".repeat(40));
    expect(await height()).toBe(136);
    await box.press("Enter");
    expect(await height()).toBe(40);
    expect((await lines(page)).at(-1)).toContain("line");
  });

  it("takes Enter of an input method for the method's, and no more than it says", async () => {
    const { page, frames } = await talk();
    const box = panel(page).getByRole("textbox");
    await box.fill("にほん");
    for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
      await box.evaluate((node, more) => {
        const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...more });
        node.dispatchEvent(event);
      }, init);
    }
    expect(frames).toHaveLength(1);
    await box.fill("x".repeat(3999));
    expect(await panel(page).getByText("1 characters left").count()).toBe(1);
    await box.press("Enter");
    await expect.poll(() => frames).toHaveLength(2);
  });
});

/** As an older browser sees it. */
function withoutFieldSizing(): void {
  const { supports } = CSS;
  CSS.supports = ((name: string, value?: string) =>
    name === "field-sizing"
      ? false
      : value === undefined
        ? supports(name)
        : supports(name, value)) as typeof CSS.supports;
  const root = document.querySelector("switchboard-widget")?.shadowRoot;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("textarea { field-sizing: fixed !important; height: 40px }");
  root?.adoptedStyleSheets.push(sheet);
}

describe("on any page", () => {
  it("stands against the page's own style", async () => {
    const plain = await visit();
    await launcher(plain.page).waitFor();
    const boxes = async ({ page }: typeof plain) => {
      const closed = await launcher(page).boundingBox();
      await launcher(page).click();
      await panel(page).getByText(GREETING).waitFor();
      const all = [launcher(page), panel(page), panel(page).getByRole("textbox"), panel(page).getByText(GREETING)];
      return [closed, ...(await Promise.all(all.map((each) => each.boundingBox())))];
    };
    const style = `:root { font-size: 40px; line-height: 3; letter-spacing: 9px; text-transform: uppercase }
      body * { all: unset !important; display: none !important; opacity: 0 !important; font: 60px serif !important;
        transform: scale(3) !important; pointer-events: none !important; visibility: hidden !important }
      button, textarea, p, div { width: 900px !important; position: static !important }`;
    const hostile = await visit({ style });
    await launcher(hostile.page).waitFor();
    expect(await boxes(hostile)).toEqual(await boxes(plain));
    await hostile.page.screenshot({ path: join(SCREENSHOTS, "hostile.png") });
  });

  it.each([
    [1400, 900],
    [1000, 720],
    [900, 430],
    [500, 600],
    [480, 800],
    [360, 640],
    [800, 360],
  ])("has launcher and panel out of each other's way: %i × %i", async (width, height) => {
    const { page, tell } = await talk();
    await page.setViewportSize({ width, height });
    await write(page, "Hello");
    tell({ type: "message", text: "A long answer. ".repeat(80) });
    await expect.poll(() => lines(page)).toHaveLength(3);
    const box = await panel(page).boundingBox();
    if (!box) throw new Error("no panel");
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    const isAlone = width <= 480 || height <= 420;
    expect(await launcher(page).count()).toBe(isAlone ? 0 : 1);
    if (!isAlone) expect((await launcher(page).boundingBox())?.y).toBeGreaterThanOrEqual(box.y + box.height);
    await button(page, "Close").click();
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe("launcher");
  });
});

describe("with a voice", () => {
  const attributes = async () => 'data-voice="on"';

  it("loads its script when the panel is first opened, where the browser can listen and speak", async () => {
    const atOnce = () => Object.assign(window, { SpeechRecognition: class {}, speechSynthesis: {} });
    const { page, calls } = await visit({ attributes, atOnce });
    await launcher(page).waitFor();
    expect(calls).not.toContain("/widget-voice.js");
    await launcher(page).click();
    await expect.poll(() => calls).toContain("/widget-voice.js");
    expect(await panel(page).getByText("Voice is not").count()).toBe(0);
  });

  it("says once where it cannot", async () => {
    const atOnce = () => {
      Reflect.deleteProperty(window, "webkitSpeechRecognition");
      Reflect.deleteProperty(window, "SpeechRecognition");
    };
    const { page, calls } = await visit({ attributes, atOnce });
    for (let i = 0; i < 3; i++) await launcher(page).click();
    expect(await panel(page).getByText("Voice is not supported by this browser.").count()).toBe(1);
    expect(calls).not.toContain("/widget-voice.js");
  });
});
