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

/** The folder for screenshots, to be reviewed by hand. */
const SCREENSHOTS = join(tmpdir(), "switchboard-widget");
beforeAll(() => mkdir(SCREENSHOTS, { recursive: true }));

const GREETING = "Hello, I am Ada. What can I do for you?";
const button = (page: Page, name: string) => panel(page).getByRole("button", { name });
const sign = (page: Page) => panel(page).locator(".sign");

/** Opens a visitor's panel, and the runtime's side of its socket. */
async function talk(stage: Parameters<typeof visit>[0] = {}) {
  const visitor = await visit(stage);
  await launcher(visitor.page).click();
  await expect.poll(() => visitor.frames).toHaveLength(1);
  const sendFrames = (...frames: object[]) => {
    for (const frame of frames) visitor.sockets.at(-1)?.send(JSON.stringify(frame));
  };
  sendFrames({ type: "ready" });
  return { ...visitor, sendFrames, close: (code: number) => visitor.sockets.at(-1)?.close({ code }) };
}

describe("frames of the runtime", () => {
  it("extend one line, which the complete message replaces", async () => {
    const { page, sendFrames, events } = await talk();
    sendFrames({ type: "delta", text: "Good **mor" }, { type: "delta", text: "ning**, we" });
    await expect.poll(() => lines(page)).toEqual(["Good morning, we"]);
    sendFrames({ type: "message", text: "Good **morning**. We are open." });
    await expect.poll(() => lines(page)).toEqual(["Good morning. We are open."]);
    expect(await panel(page).locator("strong").allInnerTexts()).toEqual(["morning"]);
    await write(page, "Where?");
    sendFrames({ type: "delta", text: "At the old" });
    await expect.poll(() => lines(page)).toHaveLength(3);
    // Interrupted words stay, and the answer to the next question is a new line.
    await write(page, "No, when?");
    sendFrames({ type: "message", text: "Now." });
    await expect
      .poll(() => lines(page))
      .toEqual(["Good morning. We are open.", "Where?", "At the old", "No, when?", "Now."]);
    expect((await events("message")).map(({ text }) => text)).not.toContain("At the old");
  });

  it("replace the displayed greeting, even if the visitor wrote first", async () => {
    const first = await talk();
    expect(await lines(first.page)).toEqual([GREETING]);
    first.sendFrames({ type: "delta", text: "Hello, I am" }, { type: "message", text: GREETING });
    await expect.poll(() => first.events("message")).toHaveLength(1);
    expect(await lines(first.page)).toEqual([GREETING]);

    const faster = await talk();
    await write(faster.page, "Where are you?");
    faster.sendFrames(
      { type: "delta", text: "Hello, I am" },
      { type: "delta", text: " Ada." },
      { type: "message", text: GREETING },
    );
    faster.sendFrames({ type: "delta", text: "Hello again" }, { type: "message", text: "Hello again, Mill Lane." });
    await expect.poll(() => lines(faster.page)).toEqual([GREETING, "Where are you?", "Hello again, Mill Lane."]);

    const silent = await talk();
    await write(silent.page, "Where are you?");
    silent.sendFrames({ type: "message", text: "Mill Lane." });
    await expect.poll(() => lines(silent.page)).toEqual([GREETING, "Where are you?", "Mill Lane."]);
  });

  it("show that an answer is coming, and what the agent is doing", async () => {
    const { page, sendFrames } = await talk();
    await write(page, "Where is my order?");
    sendFrames({ type: "typing" });
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
    sendFrames({ type: "tool", name: "set_disposition", state: "running" }, { type: "tool", name: "x", state: "done" });
    sendFrames({ type: "tool", name: "look_up_order", state: "running" });
    await expect.poll(() => sign(page).innerText()).toBe("Looking that up…");
    expect(await status(page)).toBe("Looking that up…");
    await page.screenshot({ path: join(SCREENSHOTS, "looking-up.png") });
    sendFrames({ type: "message", text: "It is on its way." });
    await expect.poll(() => sign(page).count()).toBe(0);
    expect(await status(page)).toBe("");
    expect(await panel(page).innerText()).not.toContain("disposition");
  });

  it("the runtime's frames are rendered with lists and safe links, unlike a visitor's words", async () => {
    const { page, sendFrames } = await talk();
    await write(page, "**hello** <i>there</i> [x](https://a.example)");
    const text =
      "We have:\n\n- **City** bikes\n- `cargo` bikes\n\nSee [all](https://shop.example/all) or [none](javascript:alert(1)).";
    sendFrames({ type: "message", text });
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

describe("the end of a connection", () => {
  it("a connection's end is final if the runtime says so", async () => {
    const { page, sendFrames } = await talk();
    sendFrames({ type: "message", text: "Goodbye." }, { type: "ended", reason: "agent_ended" });
    await button(page, "Start again").waitFor();
    expect(await serious(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, "ended.png") });
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe("way");
  });

  it("allows a new conversation after a second, with a renewed session", async () => {
    const { page, sendFrames, sockets, frames, calls } = await talk({ clock: true });
    await write(page, "bye");
    await standStill(page);
    sendFrames({ type: "message", text: "Goodbye." }, { type: "ended", reason: "agent_ended" });
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
  ])("a connection's end without reconnection is explained: $code", async ({ code, why, way, error }) => {
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

  it.each([4408, 4429, 1006, 1011])("a connection that ends with code %i is restored", async (code) => {
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

  it("leads to a new socket for a visitor who signs in meanwhile", async () => {
    const { page, sockets, frames, account, sendFrames } = await talk();
    await write(page, "hello");
    sendFrames({ type: "message", text: "Hi." });
    await expect.poll(() => lines(page)).toHaveLength(3);
    const token = await userToken(account, "user-7");
    await page.evaluate((value) => window.Switchboard?.identify(value), token);
    await expect.poll(() => sockets).toHaveLength(2);
    await expect.poll(() => frames.filter(({ type }) => type === "session")).toHaveLength(2);
    expect(await lines(page)).toEqual([GREETING]);
  });
});

describe("the text field", () => {
  it.each([true, false])("the text field grows with the text; native field-sizing: %s", async (native) => {
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

  it("ignores an input method's Enter, and limits the length", async () => {
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

/** Simulates an older browser. */
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

describe("the widget on any page", () => {
  it("a page's style does not affect the widget", async () => {
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
  ])("the widget on any page shows its launcher and panel without overlap: %i × %i", async (width, height) => {
    const { page, sendFrames } = await talk();
    await page.setViewportSize({ width, height });
    await write(page, "Hello");
    sendFrames({ type: "message", text: "A long answer. ".repeat(80) });
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

describe("the widget with a voice", () => {
  const attributes = async () => 'data-voice="on"';

  it("loads its script when the panel is first opened, if the browser can listen and speak", async () => {
    const atOnce = () => Object.assign(window, { SpeechRecognition: class {}, speechSynthesis: {} });
    const { page, calls } = await visit({ attributes, atOnce });
    await launcher(page).waitFor();
    expect(calls).not.toContain("/widget-voice.js");
    await launcher(page).click();
    await expect.poll(() => calls).toContain("/widget-voice.js");
    expect(await panel(page).getByText("Voice is not").count()).toBe(0);
  });

  it("reports once that the browser does not support voice", async () => {
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
