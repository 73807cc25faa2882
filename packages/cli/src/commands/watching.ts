/** `calls tail` and `conversations show|list`. */
import type { Command } from "commander";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { isObject, type Json, type JsonObject, numberOf, objectsOf, textOf } from "../kernel/json.ts";
import { plain, table } from "../kernel/terminal.ts";

export function addWatching(program: Command, act: Act): void {
  const calls = program.command("calls").description("watch calls");
  calls
    .command("tail")
    .description("show calls as they start, are answered and end, until interrupted")
    .addHelpText("after", examples("switchboard calls tail", "switchboard calls tail --json | jq .data.end_reason"))
    .action(act(tail));
  const conversations = program.command("conversations").description("read conversations");
  conversations
    .command("list")
    .description("list the newest conversations")
    .option("--limit <n>", "the number of conversations to list, up to 100", "20")
    .action(act(list));
  conversations
    .command("show <id>")
    .description("show the transcript of a conversation")
    .addHelpText("after", examples("switchboard conversations show 019aa5c4-d2f0-7b15-9c3e-6a81f04b7116"))
    .action(act(show));
}

async function tail({ client, terminal }: Session): Promise<void> {
  const types = { types: "call.started,call.answered,call.ended" };
  const options = {
    onOpen: () => terminal.note("Showing new calls. Press Ctrl-C to stop."),
    onLost: () => terminal.note("The connection was lost. Reconnecting …"),
    onBack: () => terminal.note("Reconnected. Missed events follow."),
  };
  const events = client().events("/api/v1/events/stream", types, options);
  for await (const { data } of events) {
    const event = JSON.parse(data) as Json;
    if (!isObject(event)) continue;
    terminal.line(event);
    terminal.print(callLine(event, (text) => terminal.style("dim", text)));
  }
}

export function callLine(event: JsonObject, dim: (text: string) => string): string {
  const call = isObject(event.data) ? event.data : {};
  const [id, reason] = [textOf(call, "call_id"), textOf(call, "end_reason")];
  const verb = textOf(event, "type").replace("call.", "");
  const numbers = [textOf(call, "from_number"), textOf(call, "to_number")]
    .filter((number) => number !== "")
    .join(" → ");
  const seconds = typeof call.duration_ms === "number" ? `${Math.round(call.duration_ms / 1_000)} s` : "";
  const parts = [verb.padEnd(9), id, numbers, textOf(call, "direction"), reason, seconds];
  return plain(
    [dim(textOf(event, "at").slice(11, 19)), ...parts]
      .filter((part) => part !== "")
      .join("  ")
      .trimEnd(),
  );
}

async function list({ client, terminal }: Session, { limit }: { limit: string }): Promise<void> {
  const answer = await client().get("/api/v1/conversations", { limit });
  terminal.document(answer);
  const rows = objectsOf(answer, "conversations").map((one) => [
    ...["id", "kind"].map((field) => textOf(one, field)),
    textOf(one, "started_at").slice(0, 19),
    textOf(one, "disposition") || textOf(one, "status"),
    textOf(one, "contact_name") || textOf(one, "phone_number"),
  ]);
  for (const line of table([["id", "kind", "started", "result", "with"], ...rows])) terminal.print(line);
}

async function show({ client, terminal }: Session, id: string): Promise<void> {
  const conversation = await client().get(`/api/v1/conversations/${encodeURIComponent(id)}`);
  terminal.document(conversation);
  const seconds = Math.round(numberOf(conversation, "duration_ms") / 1_000);
  const about = ["kind", "status", "disposition", "end_reason"].map((field) => textOf(conversation, field));
  const facts = [...about, `${seconds} s`, textOf(conversation, "phone_number")].filter((fact) => fact !== "");
  terminal.print(terminal.style("dim", plain(`${textOf(conversation, "started_at")}  ${facts.join(", ")}`)));
  for (const turn of objectsOf(conversation, "turns")) terminal.print(turnLine(turn, terminal.style));
}

const SPEAKERS: Record<string, { name: string; style: "cyan" | "green" | "yellow" }> = {
  user: { name: "Caller", style: "green" },
  agent: { name: "Agent", style: "cyan" },
  tool: { name: "Tool", style: "yellow" },
};

/** Returns a printed turn: speaker and text. The text cannot contain terminal control characters. */
export function turnLine(
  turn: JsonObject,
  style: (style: "cyan" | "green" | "yellow", text: string) => string,
): string {
  const { name, style: color } = SPEAKERS[textOf(turn, "role")] ?? {
    name: textOf(turn, "role"),
    style: "yellow" as const,
  };
  return `${style(color, `${name}:`)} ${plain(textOf(turn, "text"))}${turn.interrupted === true ? " …" : ""}`;
}
