import { describe, expect, it } from "vitest";
import { silence } from "../silence.ts";
import { atAgent, button, stored } from "./at-agent.ts";
import { expectFit, type Operator, serveConsole } from "./operator.ts";

serveConsole();

const voice = (voice_id: string, name: string, languages: string[], gender: string | null) => ({
  voice_provider: "elevenlabs",
  voice_id,
  name,
  languages,
  gender,
  preview_url: null,
  effective_on: ["twilio", "widget", "own_runtime"],
});
const VOICES = [
  voice("JBFqnCBsd6RMkjVDRZzb", "George", ["en-GB", "de"], "male"),
  voice("EXAVITQu4vr4xnSDxMaL", "Sarah, calm and very long in her name, so that it has to break", ["en-US"], "female"),
  ...Array.from({ length: 60 }, (_, i) => voice(`v${i}`, `Voice ${i}`, [], null)),
];

/** Mocks a service with ElevenLabs connected, and returns the requests. */
async function connected({ page }: Operator): Promise<string[]> {
  const asked: string[] = [];
  await page.route("**/api/v1/voices?**", (route) => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ json: { voices: VOICES, unavailable: [] } });
  });
  await page.route("**/api/v1/voices/preview", (route) => {
    asked.push(route.request().postData() ?? "");
    return route.fulfill({ body: silence(100), contentType: "audio/wav" });
  });
  return asked;
}

describe("an agent's voice", () => {
  it("an agent's voice is played and chosen from the provider's list", async () => {
    const operator = await atAgent("/settings");
    const { page } = operator;
    const asked = await connected(operator);
    await page.getByLabel("Voice provider").selectOption("ElevenLabs");
    await button(page, "Choose a voice").click();
    await page.getByText("Male · en-GB, de", { exact: true }).waitFor();
    await page.getByText("Heard on: Twilio, Widget, Your own runtime").first().waitFor();
    await page.getByText("The first 50 of 62 voices.").waitFor();
    await button(page, "Play George").click();
    await expect
      .poll(() => asked)
      .toEqual([
        "?provider=elevenlabs&language=en-US",
        JSON.stringify({ voice_provider: "elevenlabs", voice_id: "JBFqnCBsd6RMkjVDRZzb", language: "en-US" }),
      ]);
    await page.getByLabel("Voice language").selectOption("All languages");
    await expect.poll(() => asked.at(-1)).toBe("?provider=elevenlabs");
    await page.getByLabel("Search").fill("geor");
    await expect.poll(() => page.getByText("Voice 1").count()).toBe(0);
    await page.getByLabel("Search").fill("");
    await expectFit(operator, "agent-voices");
    await button(page, "Use George").click();
    await button(page, "Save changes").click();
    await expect
      .poll(() => stored(operator))
      .toMatchObject({ voice_provider: "elevenlabs", voice_id: "JBFqnCBsd6RMkjVDRZzb" });
    await button(page, "Choose a voice").click();
    await page.getByText("In use", { exact: true }).waitFor();
    await button(page, "Use the carrier's own voice").click();
    await button(page, "Save changes").click();
    await expect.poll(() => stored(operator)).toMatchObject({ voice_id: "" });
  });

  it("an agent's voice is the carrier's own if the provider is not connected", async () => {
    const operator = await atAgent("/settings");
    const { page } = operator;
    await button(page, "Choose a voice").click();
    await page.getByText("Twilio's own voice", { exact: true }).waitFor();
    await page.getByText("Cartesia isn't connected").waitFor();
    await expectFit(operator, "agent-voices-own");
    await page.getByRole("link", { name: "Connect Cartesia" }).click();
    await page.getByRole("heading", { name: "Cartesia" }).waitFor();
  });
});
