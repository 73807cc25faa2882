import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { launcher, lines, panel, RUNTIME, serve, standStill, status, visit, write } from "./visit.ts";

serve({ VOICE_RUNTIME_URL: RUNTIME });

const GREETING = "Hello, I am Ada. What can I do for you?";

/** Opens a visitor's panel, and the runtime's side of its socket. */
async function talk(stage: Parameters<typeof visit>[0] = {}) {
  const visitor = await visit(stage);
  await launcher(visitor.page).click();
  await expect.poll(() => visitor.frames).toHaveLength(1);
  const sendFrames = (...frames: unknown[]) => {
    for (const frame of frames) {
      visitor.sockets.at(-1)?.send(typeof frame === "string" ? frame : JSON.stringify(frame));
    }
  };
  sendFrames({ type: "ready" });
  return { ...visitor, sendFrames };
}

it("the widget ignores invalid frames", async () => {
  const { page, sendFrames } = await talk();
  await write(page, "hello");
  sendFrames(
    "{",
    "null",
    "[]",
    "7",
    { type: "message" },
    { type: "delta", text: null },
    { type: "message", text: { a: 1 } },
  );
  sendFrames(
    { type: "constructor" },
    { type: "toString", text: "x" },
    { type: "tool" },
    { type: "message", text: "Hi." },
  );
  await expect.poll(() => lines(page)).toEqual([GREETING, "hello", "Hi."]);
});

it("the widget keeps an interrupted answer, and shows later words below it", async () => {
  const { page, sendFrames, sockets } = await talk({ clock: true });
  await write(page, "Where are you?");
  sendFrames({ type: "delta", text: "At the old" });
  await expect.poll(() => lines(page)).toHaveLength(3);
  await standStill(page);
  await sockets[0]?.close({ code: 1011 });
  await expect.poll(() => status(page)).toBe("Reconnecting…");
  await page.clock.fastForward(1000);
  await page.clock.resume();
  await expect.poll(() => sockets).toHaveLength(2);
  sendFrames(
    { type: "ready" },
    { type: "delta", text: "Sorry, the" },
    { type: "message", text: "Sorry, the line dropped." },
  );
  await expect.poll(() => lines(page)).toEqual([GREETING, "Where are you?", "At the old", "Sorry, the line dropped."]);
  expect(await panel(page).getByRole("log").getAttribute("aria-busy")).toBeNull();
});

it("the widget keeps words written while a socket closes, and sends them over the next one", async () => {
  const prepare = async (page: Page) => {
    await page.addInitScript(() => {
      const opened: WebSocket[] = [];
      const Original = window.WebSocket;
      const RecordedSocket = class extends Original {
        constructor(url: string) {
          super(url);
          opened.push(this);
        }
      };
      Object.assign(window, { WebSocket: RecordedSocket, opened });
    });
  };
  const { page, sendFrames, sockets, frames } = await talk({ clock: true, prepare });
  await write(page, "One");
  await expect.poll(() => frames).toHaveLength(2);
  // The peer has begun to close, so further frames are lost.
  const closing = (isClosing: boolean) =>
    page.evaluate((on) => {
      const [socket] = (window as unknown as { opened: WebSocket[] }).opened;
      const readyState = { get: () => WebSocket.CLOSING, configurable: true };
      if (socket && on) Object.defineProperty(socket, "readyState", readyState);
      else if (socket) Reflect.deleteProperty(socket, "readyState");
    }, isClosing);
  await closing(true);
  await write(page, "Two");
  await closing(false);
  await sockets[0]?.close({ code: 1011 });
  await expect.poll(() => status(page)).toBe("Reconnecting…");
  await page.clock.fastForward(1000);
  await expect.poll(() => sockets).toHaveLength(2);
  sendFrames({ type: "ready" });
  await expect.poll(() => frames.at(-1)).toMatchObject({ type: "message", text: "Two" });
});

it("the widget resends unacknowledged messages with the same id if the runtime acknowledges them", async () => {
  const { page, sendFrames, sockets, frames } = await talk({ clock: true });
  const messages = () => frames.filter((frame) => (frame as { type: string }).type === "message") as { id: string }[];
  sendFrames({ type: "ready", receipts: true });
  await write(page, "One");
  await write(page, "Two");
  await expect.poll(messages).toHaveLength(2);
  sendFrames({ type: "received", id: messages()[0]?.id });
  sendFrames({ type: "message", text: "Yes?" });
  await expect.poll(() => lines(page)).toContain("Yes?");
  await sockets[0]?.close({ code: 1011 });
  await expect.poll(() => status(page)).toBe("Reconnecting…");
  await page.clock.fastForward(1000);
  await expect.poll(() => sockets).toHaveLength(2);
  sendFrames({ type: "ready", receipts: true });
  await expect.poll(messages).toHaveLength(3);
  expect(messages()[2]).toEqual(messages()[1]);
  // The message is kept for the next page, too.
  await page.reload();
  await expect.poll(() => sockets).toHaveLength(3);
  sendFrames({ type: "ready", receipts: true });
  await expect.poll(messages).toHaveLength(4);
  expect(messages()[3]).toEqual(messages()[1]);
});

it("the widget renders an answer of many pieces at most once per frame", async () => {
  const { page, sendFrames } = await talk();
  await page.evaluate(() => {
    const drawn = { times: 0 };
    const log = document.querySelector("switchboard-widget")?.shadowRoot?.querySelector(".log");
    if (log)
      new MutationObserver((all) => (drawn.times += all.length)).observe(log, { childList: true, subtree: true });
    const queue: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (callback) => queue.push(callback);
    Object.assign(window, { drawn, nextFrame: () => queue.splice(0).map((callback) => callback(0)) });
  });
  for (let i = 0; i < 500; i++) sendFrames({ type: "delta", text: "word **bold** " });
  sendFrames({ type: "typing" });
  await expect.poll(() => status(page)).toBe("Ada is typing…");
  const drawn = () => page.evaluate(() => (window as unknown as { drawn: { times: number } }).drawn.times);
  expect(await drawn()).toBeLessThan(20);
  await page.evaluate(() => (window as unknown as { nextFrame(): void }).nextFrame());
  expect((await lines(page))[0]).toHaveLength("word bold ".length * 500 - 1);
  sendFrames({ type: "delta", text: "more" });
  await write(page, "Stop");
  // The turn is cut between two frames, and nothing of it is lost.
  expect((await lines(page))[0]).toMatch(/more$/);
});

it("the widget shows an answer once if the visitor writes before its last frame arrives", async () => {
  const { page, sendFrames } = await talk();
  sendFrames({ type: "delta", text: GREETING });
  await write(page, "When are you open?");
  sendFrames({ type: "message", text: GREETING });
  sendFrames({ type: "typing" }, { type: "delta", text: "We are " });
  await expect.poll(() => lines(page)).toEqual([GREETING, "When are you open?", "We are"]);
  await write(page, "And on Sundays?");
  sendFrames({ type: "delta", text: "open " }, { type: "message", text: "We are open from 9." });
  sendFrames({ type: "typing" }, { type: "message", text: "We are closed." });
  const answered = [GREETING, "When are you open?", "We are open from 9.", "And on Sundays?", "We are closed."];
  await expect.poll(() => lines(page)).toEqual(answered);
  // An answer that begins like one that was cut is a different answer.
  sendFrames({ type: "delta", text: "On " });
  await write(page, "Where?");
  sendFrames({ type: "typing" }, { type: "message", text: "On Main Street." });
  await expect.poll(() => lines(page)).toEqual([...answered, "On", "Where?", "On Main Street."]);
});

it("the widget shows words in their own direction, and the panel from left to right on any page", async () => {
  const { page, sendFrames } = await talk();
  await page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  await write(page, "שלום, מתי?");
  sendFrames({ type: "message", text: "שלום:\n\n- אחד\n- שניים" }, { type: "message", text: "Hello." });
  await expect.poll(() => lines(page)).toHaveLength(4);
  const direction = (selector: string) =>
    panel(page)
      .locator(selector)
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
  expect(await direction(".visitor .words")).toEqual(["rtl"]);
  expect(await direction(".agent .words > *")).toEqual(["ltr", "rtl", "rtl", "ltr"]);
  await panel(page).getByRole("textbox").fill("שלום");
  expect(await direction("textarea")).toEqual(["rtl"]);
  const [button, box] = [await launcher(page).boundingBox(), await panel(page).boundingBox()];
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBe((box?.x ?? 0) + (box?.width ?? 0));
});

it("the widget reappears at once on a page that removed its elements", async () => {
  const { page, sendFrames } = await talk();
  await write(page, "hello");
  await page.evaluate(() => {
    document.body = document.createElement("body");
  });
  expect(await panel(page).count()).toBe(1);
  sendFrames({ type: "message", text: "Hi." });
  await expect.poll(() => lines(page)).toEqual([GREETING, "hello", "Hi."]);
});

it("the widget fits above a phone's keyboard", async () => {
  const { page } = await talk();
  await page.setViewportSize({ width: 375, height: 667 });
  const seen = (height: number, offsetTop: number, scale: number) =>
    page.evaluate(
      (now) => {
        for (const [name, value] of Object.entries(now)) {
          Object.defineProperty(visualViewport, name, { value, configurable: true });
        }
        visualViewport?.dispatchEvent(new Event("resize"));
      },
      { height, offsetTop, scale },
    );
  await seen(360, 40, 1);
  expect(await panel(page).boundingBox()).toEqual({ x: 0, y: 40, width: 375, height: 360 });
  await seen(333, 100, 2);
  expect(await panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 667 });
});

it("the widget renews its session in time even if the clock was set back", async () => {
  const visitor = await talk({ clock: true });
  await visitor.page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() - 3 * 3600 * 1000;
  });
  await visitor.page.clock.fastForward("12:05");
  await expect.poll(() => visitor.events("session")).toHaveLength(2);
});
