/** `models list` and `voices list|preview`. */
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { type JsonObject, numberOf, objectsOf, textOf } from "../kernel/json.ts";
import { plain, table } from "../kernel/terminal.ts";

export function addModels(program: Command, act: Act): void {
  const models = program.command("models").description("list language models");
  models
    .command("list")
    .description("list the models with their prices, retirement dates and missing settings")
    .action(act(listModels));
  const voices = program.command("voices").description("list and preview voices");
  voices
    .command("list")
    .description("list the voices and where each can be used")
    .option("--provider <provider>", "only voices of cartesia, elevenlabs or deepgram")
    .option("--language <language>", "only voices that speak this language, such as de-DE")
    .addHelpText("after", examples("switchboard voices list --provider elevenlabs --language de-DE"))
    .action(act(listVoices));
  voices
    .command("preview <voice>")
    .description("save a sentence in this voice as a file; the vendor charges for it")
    .requiredOption("--provider <provider>", "the voice's vendor: cartesia, elevenlabs or deepgram")
    .requiredOption("--out <file>", "the mp3 file to write")
    .option("--language <language>", "the language of the sentence", "en-US")
    .addHelpText("after", examples("switchboard voices preview aura-2-thalia-en --provider deepgram --out thalia.mp3"))
    .action(act(preview));
}

async function listModels({ client, terminal }: Session): Promise<void> {
  const answer = await client().get("/api/v1/models");
  terminal.document(answer);
  const rows = objectsOf(answer, "models").map((one) => {
    const [end, successor] = [textOf(one, "ends_at").slice(0, 10), textOf(one, "replaced_by")];
    const notes = [textOf(one, "reason"), end === "" ? "" : `ends on ${end}, then ${successor} answers`];
    return [
      textOf(one, "llm_model"),
      one.available === true ? "yes" : "no",
      priceOf(one, "input_micros_per_million"),
      priceOf(one, "output_micros_per_million"),
      notes.filter((note) => note !== "").join("; "),
    ];
  });
  const heading = ["model", "available", "input $/M", "output $/M", ""];
  for (const line of table([heading, ...rows])) terminal.print(line);
}

/** Formats a price in dollars for a million tokens; "?" if it is unknown. */
function priceOf(model: JsonObject, field: string): string {
  return model[field] === null ? "?" : (numberOf(model, field) / 1_000_000).toFixed(2);
}

async function listVoices({ client, terminal }: Session, query: { provider?: string; language?: string }) {
  const { provider, language } = query;
  const answer = await client().get("/api/v1/voices", { provider, language });
  terminal.document(answer);
  const words = (one: JsonObject, field: string) => {
    const value = one[field];
    return Array.isArray(value) ? value.join(" ") : "";
  };
  const rows = objectsOf(answer, "voices").map((one) => [
    textOf(one, "voice_provider"),
    textOf(one, "voice_id"),
    textOf(one, "name"),
    words(one, "languages"),
    words(one, "effective_on"),
  ]);
  for (const line of table([["provider", "id", "name", "languages", "used on"], ...rows])) terminal.print(line);
  for (const one of objectsOf(answer, "unavailable"))
    terminal.note(plain(`The voices of ${textOf(one, "voice_provider")} are missing: ${textOf(one, "reason")}.`));
}

interface Previewing {
  provider: string;
  language: string;
  out: string;
}

async function preview(session: Session, voice_id: string, { provider, language, out }: Previewing): Promise<void> {
  const body = { voice_provider: provider, voice_id, language };
  const audio = await session.client().bytes("/api/v1/voices/preview", body);
  await writeFile(out, audio).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(EXIT.usage, "file", `${out} cannot be written: ${error.code}`);
  });
  session.terminal.document({ file: out, bytes: audio.byteLength });
  session.terminal.print(`Wrote ${audio.byteLength} bytes to ${out}.`);
}
