import { describe, expect, it } from "vitest";
import { silence } from "./silence.ts";
import { launcher, panel, RUNTIME, serve, visit } from "./visit.ts";
import { installLab, labOf } from "./voice-lab.ts";

serve({ VOICE_RUNTIME_URL: RUNTIME });

const PATH = "/api/v1/widget/speech/";

interface Answer {
  status?: number;
  body?: Buffer;
}

/**
 * Opens a page for a visitor of an agent with its own voice. `answers` are the service's responses for the parts, by
 * ticket.
 */
async function meet(answers: Record<string, Answer | "unreachable"> = {}) {
  const visitor = await visit({
    attributes: async () => 'data-voice="on"',
    prepare: (page) => installLab(page, { speaks: false }),
  });
  const { page, sockets, frames } = visitor;
  const asked: string[] = [];
  await page.route(`**${PATH}*`, async (route) => {
    const ticket = new URL(route.request().url()).pathname.slice(PATH.length);
    asked.push(ticket);
    const answer = answers[ticket] ?? {};
    if (answer === "unreachable") return route.abort();
    const { status = 200, body = silence(200) } = answer;
    await route.fulfill({
      status,
      contentType: status === 200 ? "audio/wav" : "application/json",
      headers: { "access-control-allow-origin": "*" },
      body: status === 200 ? body : '"no"',
    });
  });
  await launcher(page).click();
  await expect.poll(() => frames).toHaveLength(1);
  const send = (frame: object) => sockets.at(-1)?.send(JSON.stringify(frame));
  send({ type: "ready", speech: true });
  /** Makes the agent say two sentences, each of which is a separate part. */
  const greets = () => {
    send({ type: "delta", text: "Hello, I " });
    send({ type: "delta", text: "am Ada. ", speech: `${PATH}one` });
    send({ type: "delta", text: "How are you?" });
    send({ type: "message", text: "Hello, I am Ada. How are you?", speech: `${PATH}two` });
  };
  const voice = labOf(page);
  const microphone = panel(page).getByRole("button", { name: "Talk by voice" });
  const listen = async () => {
    await microphone.click();
    await expect.poll(() => voice.listening()).toEqual(["on"]);
  };
  const caption = () => panel(page).locator(".caption").textContent();
  const sent = () => frames.slice(1).map(({ id: _, ...frame }) => frame);
  return { asked, send, greets, voice, listen, caption, sent };
}

describe("an agent's own voice", () => {
  it("an agent's own voice is played part by part in place of the browser's", async () => {
    const { asked, greets, voice, listen, caption } = await meet();
    await listen();
    greets();
    await expect.poll(caption).toBe("Ada is speaking…");
    await expect.poll(caption).toBe("Listening…");
    expect([asked, await voice.spoken()]).toEqual([["one", "two"], []]);
  });

  it("says the words that arrived before the microphone was pressed", async () => {
    const { asked, greets, voice, listen, caption } = await meet();
    greets();
    await listen();
    await expect.poll(() => asked).toEqual(["one", "two"]);
    await expect.poll(caption).toBe("Listening…");
    expect(await voice.spoken()).toEqual([]);
  });

  it.each([
    ["a ceiling is reached", { status: 429 }],
    ["its vendor fails", { status: 502 }],
    ["its ticket is over", { status: 403 }],
    ["it sends what is no audio", { body: Buffer.from("<h1>Sign in</h1>") }],
    ["it cannot be reached", "unreachable" as const],
  ])("an agent's own voice is replaced by the browser's for the rest of the turn when %s", async (_, answer) => {
    const { send, greets, voice, listen, asked, caption } = await meet({ one: answer });
    await listen();
    greets();
    await expect.poll(() => voice.spoken()).toEqual(["Hello, I am Ada."]);
    await voice.spokenToEnd();
    await expect.poll(() => voice.spoken()).toEqual(["Hello, I am Ada.", "How are you?"]);
    await voice.spokenToEnd();
    // The next turn tries the agent's own voice again.
    send({ type: "delta", text: "Anything else?" });
    send({ type: "message", text: "Anything else?", speech: `${PATH}three` });
    await expect.poll(() => asked).toContain("three");
    await expect.poll(caption).toBe("Listening…");
    expect(await voice.spoken()).toHaveLength(2);
  });

  it("leaves parts without a ticket to the browser's voice", async () => {
    const { send, voice, listen, asked } = await meet();
    await listen();
    send({ type: "delta", text: "Hello, I am Ada." });
    send({ type: "message", text: "Hello, I am Ada." });
    await expect.poll(() => voice.spoken()).toEqual(["Hello, I am Ada."]);
    expect(asked).toEqual([]);
  });

  it("stops when the visitor interrupts", async () => {
    const { send, voice, listen, asked, sent, caption } = await meet({ one: { body: silence(20_000) } });
    await listen();
    send({ type: "delta", text: "We are open every day. ", speech: `${PATH}one` });
    await expect.poll(() => asked).toEqual(["one"]);
    await expect.poll(caption).toBe("Ada is speaking…");
    await voice.interim("please stop");
    await expect.poll(sent).toMatchObject([{ type: "interrupt" }]);
    send({ type: "delta", text: "Even on Sundays.", speech: `${PATH}two` });
    await voice.final("please stop");
    await expect.poll(sent).toMatchObject([{ type: "interrupt" }, { type: "message", text: "please stop" }]);
    expect([asked, await voice.spoken()]).toEqual([["one"], []]);
  });
});
