import { mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { launcher, panel, RUNTIME, serious, serve, visit } from "./visit.ts";
import { installLab, type Lab, labOf } from "./voice-lab.ts";

serve({ VOICE_RUNTIME_URL: RUNTIME });

/** The folder for screenshots, to be reviewed by hand. */
const SCREENSHOTS = join(tmpdir(), "switchboard-widget");
const GREETING = "Hello, I am Ada. What can I do for you?";

interface Stage extends Lab {
  /** The agent's settings besides the defaults. */
  agent?: Record<string, unknown>;
  dark?: boolean;
  clock?: boolean;
  settings?: Record<string, string>;
  greeting?: object | null;
}

/** Opens a visitor's panel on a page that asks for voice. The agent has greeted. */
async function meet({ dark = false, clock = false, settings = {}, agent, greeting = {}, ...lab }: Stage = {}) {
  const visitor = await visit({
    dark,
    clock,
    settings,
    ...(agent && { agent }),
    attributes: async () => 'data-voice="on"',
    prepare: (page) => installLab(page, lab),
  });
  const { page, sockets, frames } = visitor;
  await launcher(page).click();
  await expect.poll(() => frames).toHaveLength(1);
  const send = (frame: object) => sockets.at(-1)?.send(JSON.stringify(frame));
  send({ type: "ready" });
  if (greeting) send({ type: "message", text: GREETING, ...greeting });
  const microphone = panel(page).getByRole("button", { name: "Talk by voice" });
  const caption = panel(page).locator(".caption");
  /** Presses the microphone button and lets the greeting be spoken to its end. */
  const talk = async () => {
    await microphone.click();
    await expect.poll(() => voice.listening()).toEqual(["on"]);
    if (!greeting) return;
    await expect.poll(() => voice.spoken()).toHaveLength(1);
    await voice.spokenToEnd();
    await expect.poll(() => voice.spoken()).toHaveLength(2);
    await voice.spokenToEnd();
  };
  const voice = labOf(page);
  const status = () => panel(page).getByRole("status").textContent();
  /** Returns the frames sent to the runtime since the session frame, without ids. */
  const sent = () => frames.slice(1).map(({ id: _, ...frame }) => frame);
  return { ...visitor, send, microphone, caption, talk, voice, status, sent };
}

describe("a page that does not ask for voice", () => {
  it("loads no script for voice", async () => {
    const { page, calls, sockets } = await visit({ prepare: (page) => installLab(page, {}) });
    await launcher(page).click();
    await expect.poll(() => sockets).toHaveLength(1);
    expect(calls).not.toContain("/widget-voice.js");
    expect(await panel(page).getByRole("button", { name: "Talk by voice" }).count()).toBe(0);
  });
});

describe("a conversation by voice", () => {
  it("a conversation by voice loads a small script with the panel", async () => {
    const { byteLength } = gzipSync(await readFile(join(import.meta.dirname, "../../dist/assets/widget-voice.js")));
    expect(byteLength).toBeLessThan(7 * 1024);
  });

  it("requests no permission before the microphone is pressed, and then greets", async () => {
    const { calls, microphone, voice } = await meet();
    await microphone.waitFor();
    expect(calls).toContain("/widget-voice.js");
    expect(await microphone.getAttribute("aria-pressed")).toBe("false");
    expect([await voice.listening(), await voice.spoken(), await voice.tracks()]).toEqual([[], [], []]);
    await microphone.click();
    await expect.poll(() => voice.spoken()).toEqual(["Hello, I am Ada."]);
    expect(await microphone.getAttribute("aria-pressed")).toBe("true");
    expect(await voice.lang()).toBe("en-US");
    await voice.spokenToEnd();
    await expect.poll(() => voice.spoken()).toEqual(["Hello, I am Ada.", "What can I do for you?"]);
  });

  it("uses the agent's language, and another one once the agent changes to it", async () => {
    const { page, send, talk, voice } = await meet({ agent: { language: "de-DE", languages: ["he-IL"] } });
    await talk();
    expect([await voice.lang(), new Set(await voice.spokenIn())]).toEqual(["de-DE", new Set(["de-DE"])]);
    send({ type: "language", language: "he-IL" });
    await expect.poll(() => voice.lang()).toBe("he-IL");
    send({ type: "message", text: "שלום, מה שלומך?" });
    await expect.poll(async () => (await voice.spokenIn()).at(-1)).toBe("he-IL");
    const line = panel(page).getByText("שלום, מה שלומך?");
    expect(await line.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  });

  it("sends a spoken question to the agent, and speaks the answer as it comes", async () => {
    const { page, send, talk, voice, caption, sent, events } = await meet();
    await talk();
    await voice.interim("where is");
    expect(await caption.textContent()).toBe("where is");
    await voice.final("Where is my parcel");
    await expect.poll(sent).toEqual([{ type: "message", text: "Where is my parcel" }]);
    expect(await events("message")).toContainEqual({ from: "visitor", text: "Where is my parcel" });
    await expect.poll(() => panel(page).getByText("Where is my parcel").isVisible()).toBe(true);
    send({ type: "delta", text: "It is **on its way**. See [the map](https://m" });
    await expect.poll(async () => (await voice.spoken()).slice(2)).toEqual(["It is on its way."]);
    expect(await caption.textContent()).toBe("Ada is speaking…");
    send({ type: "delta", text: "aps.example/x.y). Bye" });
    send({ type: "message", text: "It is **on its way**. See [the map](https://maps.example/x.y). Bye" });
    await voice.spokenToEnd();
    await expect.poll(async () => (await voice.spoken()).slice(3)).toEqual(["See the map."]);
    await voice.spokenToEnd();
    await expect.poll(async () => (await voice.spoken()).slice(4)).toEqual(["Bye"]);
    await voice.spokenToEnd();
    expect(await caption.textContent()).toBe("Listening…");
  });

  it("continues listening after a silence", async () => {
    const { talk, voice, sent } = await meet({ clock: true });
    await talk();
    await voice.final("One");
    await voice.ends("no-speech");
    await expect.poll(() => voice.listening()).toEqual(["over", "on"]);
    await voice.final("Two");
    await expect.poll(async () => sent().map(({ text }) => text)).toEqual(["One", "Two"]);
  });

  it("keeps the last interim words if the browser ends without a final result", async () => {
    const { talk, voice, sent } = await meet();
    await talk();
    await voice.interim("goodbye then");
    await voice.ends();
    await expect.poll(sent).toEqual([{ type: "message", text: "goodbye then" }]);
  });
});

describe("a visitor who interrupts", () => {
  it("silences the agent at once, and the runtime gets the spoken words", async () => {
    const { send, talk, voice, sent } = await meet();
    await talk();
    send({ type: "delta", text: "We are open. From nine to five on every day. " });
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("We are open.");
    await voice.spokenToEnd();
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("From nine to five on every day.");
    await voice.reaches("From nine ".length);
    const before = await voice.cancelled();
    await voice.interim("stop");
    expect(await voice.cancelled()).toBe(before + 1);
    await expect.poll(sent).toEqual([{ type: "interrupt", heard: "We are open. From nine" }]);
    // The rest of the turn was already on its way.
    send({ type: "delta", text: "And never on Sundays. " });
    await voice.final("Stop, thank you");
    await expect.poll(async () => sent().slice(1)).toEqual([{ type: "message", text: "Stop, thank you" }]);
    send({ type: "message", text: "As you like." });
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("As you like.");
    expect(await voice.spoken()).not.toContain("And never on Sundays.");
  });

  it("may also write", async () => {
    const { page, send, talk, voice, sent } = await meet();
    await talk();
    send({ type: "message", text: "We are open." });
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("We are open.");
    const box = panel(page).getByRole("textbox");
    await box.fill("Thanks");
    await box.press("Enter");
    await expect.poll(sent).toEqual([
      { type: "interrupt", heard: "" },
      { type: "message", text: "Thanks" },
    ]);
  });

  it("an interrupting visitor is told apart from the agent's own voice in the microphone", async () => {
    const { send, talk, voice, sent } = await meet();
    await talk();
    const before = await voice.cancelled();
    send({ type: "message", text: "We are open from nine to five." });
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("We are open from nine to five.");
    await voice.interim("we are open");
    await voice.final("we are open from 9 to five");
    expect(await voice.cancelled()).toBe(before);
    const cutIn = ["from nine to five and on Sundays", "from nine to five and on Sundays?"] as const;
    expect(await voice.inOneBreath(...cutIn)).toBe(before + 1);
    await expect.poll(sent).toEqual([
      { type: "interrupt", heard: "" },
      { type: "message", text: "and on Sundays?" },
    ]);
  });

  it("a visitor's words are sent after words that must not be interrupted", async () => {
    const { microphone, voice, sent } = await meet({ greeting: { interruptible: false } });
    await microphone.click();
    await expect.poll(() => voice.spoken()).toEqual(["Hello, I am Ada."]);
    await voice.interim("where is my");
    await voice.final("Where is my parcel");
    await voice.spokenToEnd();
    await expect.poll(() => voice.spoken()).toHaveLength(2);
    expect(await voice.cancelled()).toBe(0);
    expect(sent()).toEqual([]);
    await voice.spokenToEnd();
    await expect.poll(sent).toEqual([{ type: "message", text: "Where is my parcel" }]);
  });
});

describe("the switches", () => {
  it("mute the agent's voice, and not the visitor", async () => {
    const { page, send, microphone, voice, sent } = await meet();
    await microphone.click();
    await expect.poll(() => voice.spoken()).toHaveLength(1);
    const mute = panel(page).getByRole("button", { name: "Mute Ada's voice" });
    await mute.click();
    expect(await mute.getAttribute("aria-pressed")).toBe("true");
    expect(await voice.cancelled()).toBe(1);
    send({ type: "message", text: "Are you there?" });
    await expect.poll(() => panel(page).getByText("Are you there?").isVisible()).toBe(true);
    await voice.final("Yes");
    await expect.poll(sent).toEqual([{ type: "message", text: "Yes" }]);
    expect(await voice.spoken()).toHaveLength(1);
    await mute.click();
    send({ type: "message", text: "Good." });
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("Good.");
  });

  it("turn the microphone off after sending what was said before", async () => {
    const { page, talk, microphone, voice, sent } = await meet();
    await talk();
    await expect.poll(() => voice.tracks()).toEqual(["live"]);
    await voice.interim("one last thing");
    await microphone.click();
    await expect.poll(() => voice.listening()).toEqual(["over"]);
    expect(await voice.tracks()).toEqual(["ended"]);
    await expect.poll(sent).toEqual([{ type: "message", text: "one last thing" }]);
    expect(await panel(page).getByRole("button", { name: "Mute Ada's voice" }).count()).toBe(0);
    await microphone.click();
    await expect.poll(() => voice.listening()).toEqual(["over", "on"]);
    await expect.poll(() => voice.tracks()).toEqual(["ended", "live"]);
  });

  it("show the sound level, also without access to the microphone's level", async () => {
    const level = (button: { evaluate: <T>(f: (node: HTMLElement) => T) => Promise<T> }) =>
      button.evaluate((node) => Number(node.style.getPropertyValue("--level")));
    const loud = await meet();
    await loud.talk();
    await expect.poll(() => level(loud.microphone)).toBeGreaterThan(0.5);
    await loud.microphone.click();
    expect(await level(loud.microphone)).toBe(0);
    const guessed = await meet({ without: "microphone" });
    await guessed.talk();
    expect(await level(guessed.microphone)).toBe(0);
    await guessed.page.evaluate("window.bench.recognitions[0].onspeechstart()");
    expect(await level(guessed.microphone)).toBe(0.6);
    await guessed.page.evaluate("window.bench.recognitions[0].onspeechend()");
    expect(await level(guessed.microphone)).toBe(0);
  });

  it("the voice switches turn off when the panel closes", async () => {
    const { page, talk, microphone, voice, send } = await meet();
    await talk();
    await expect.poll(() => voice.tracks()).toEqual(["live"]);
    send({ type: "message", text: "Anything else?" });
    await expect.poll(async () => (await voice.spoken()).at(-1)).toBe("Anything else?");
    const before = await voice.cancelled();
    await page.evaluate(() => window.Switchboard?.close());
    expect(await voice.tracks()).toEqual(["ended"]);
    expect(await voice.cancelled()).toBe(before + 1);
    await expect.poll(() => voice.listening()).toEqual(["over"]);
    await page.evaluate(() => window.Switchboard?.open());
    await microphone.waitFor();
    expect(await microphone.getAttribute("aria-pressed")).toBe("false");
    expect(await microphone.count()).toBe(1);
  });

  it("pause while the page is hidden", async () => {
    const { page, talk, voice } = await meet();
    await talk();
    await expect.poll(() => voice.tracks()).toEqual(["live"]);
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await hide(true);
    await expect.poll(() => voice.listening()).toEqual(["over"]);
    expect(await voice.tracks()).toEqual(["ended"]);
    await hide(false);
    await expect.poll(() => voice.listening()).toEqual(["over", "on"]);
    await expect.poll(() => voice.tracks()).toEqual(["ended", "live"]);
  });
});

describe("voice that does not work", () => {
  it.each([
    ["not-allowed", "does not let this page use the microphone"],
    ["service-not-allowed", "does not allow speech recognition"],
    ["audio-capture", "No microphone was found"],
    ["language-not-supported", "cannot listen in this page's language"],
  ])("voice that does not work is explained to the visitor: %s", async (error, advice) => {
    const { microphone, status, voice } = await meet({ error });
    await microphone.click();
    await expect.poll(status).toContain(advice);
    expect(await microphone.getAttribute("aria-pressed")).toBe("false");
    expect(await voice.listening()).toEqual(["over"]);
    expect([await voice.tracks(), await voice.spoken()]).toEqual([[], []]);
  });

  it.each([
    [{ error: "network" }, "needs a connection"],
    [{ throws: true }, "keeps stopping"],
  ])("voice that does not work is retried a limited number of times: %j", async (lab, advice) => {
    const { microphone, status, page } = await meet(lab);
    await page.clock.install();
    await microphone.click();
    await expect
      .poll(async () => {
        await page.clock.runFor(500);
        return status();
      })
      .toContain(advice);
    expect(await microphone.getAttribute("aria-pressed")).toBe("false");
  });

  it("a browser without usable voices shows answers as text", async () => {
    const { page, microphone, status } = await meet();
    await page.evaluate("speechSynthesis.speak = () => {}");
    await page.clock.install();
    await microphone.click();
    await expect
      .poll(async () => {
        await page.clock.runFor(1000);
        return status();
      })
      .toContain("no voice for this language");
    expect(await microphone.getAttribute("aria-pressed")).toBe("true");
    expect(await panel(page).getByRole("button", { name: "Mute Ada's voice" }).count()).toBe(0);
  });

  it("a browser without speech is not offered voice", async () => {
    const { page, calls, microphone } = await meet({ without: "recognition" });
    await expect.poll(() => panel(page).getByText("Voice is not supported by this browser.").isVisible()).toBe(true);
    expect(await microphone.count()).toBe(0);
    expect(calls).not.toContain("/widget-voice.js");
  });
});

describe("the voice without mouse or sight", () => {
  it.each([
    { dark: false, settings: {}, name: "light" },
    { dark: true, settings: {}, name: "dark" },
    { dark: false, settings: { accent_color: "#ff0" }, name: "yellow" },
  ])("the voice controls have no serious axe violation: $name", async ({ name, ...stage }) => {
    const { page, microphone, voice, send, sent } = await meet(stage);
    await mkdir(SCREENSHOTS, { recursive: true });
    await microphone.waitFor();
    await page.screenshot({ path: join(SCREENSHOTS, `voice-${name}-off.png`) });
    expect(await serious(page)).toEqual([]);
    await microphone.click();
    await expect.poll(() => voice.spoken()).toHaveLength(1);
    await voice.final("Where is my parcel");
    await expect.poll(sent).toHaveLength(2);
    send({ type: "message", text: "It is on its way, and should be with you before noon." });
    await voice.interim("and who is going to bring it to me");
    expect(await serious(page)).toEqual([]);
    await page.screenshot({ path: join(SCREENSHOTS, `voice-${name}.png`) });
    await page.setViewportSize({ width: 360, height: 640 });
    await page.screenshot({ path: join(SCREENSHOTS, `voice-${name}-360.png`) });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  it("can be operated by keyboard", async () => {
    const { page, microphone, voice } = await meet();
    await microphone.waitFor();
    await panel(page).getByRole("textbox").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await expect.poll(() => voice.listening()).toEqual(["on"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    const mute = panel(page).getByRole("button", { name: "Mute Ada's voice" });
    expect(await mute.getAttribute("aria-pressed")).toBe("true");
  });
});
