/** `listen`, `events list` and `events replay`. */
import type { Command } from "commander";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure, usage } from "../kernel/failure.ts";
import { isObject, type Json, type JsonObject, textOf } from "../kernel/json.ts";
import { accountOf } from "../kernel/settings.ts";
import { AT_ONCE, deliver, each, type Forwarding } from "./forward.ts";
import { past, sinceOf } from "./past.ts";
import { newSecret, secretOf } from "./sign.ts";

interface Options {
  forward?: string;
  types?: string;
  secret?: string;
  since?: string;
  after?: string;
}

const TYPES = ["--types <types>", "only these types, such as call.ended,conversation.ended"] as const;
const FORWARD = ["--forward <url>", "the address to send each event to, as a webhook"] as const;
const SECRET = ["--secret <whsec>", "the signing secret; by default each run creates one"] as const;
const SINCE = [
  "--since <time>",
  "how far back to begin (30m, 24h, 7d), or a time such as 2026-11-23T09:00:00Z",
] as const;
const AFTER = ["--after <event>", "the id of an event; begin after it"] as const;

export function addEvents(program: Command, act: Act): void {
  program
    .command("listen")
    .description("show events as they happen, and forward them as signed webhooks without a tunnel")
    .option(...FORWARD)
    .option(...TYPES)
    .option(...SECRET)
    .addHelpText(
      "after",
      examples(
        "switchboard listen --forward http://localhost:3000/hook",
        "switchboard listen --types call.ended --json",
      ),
    )
    .action(act(listen));
  const events = program.command("events").description("list or resend past events");
  events
    .command("list")
    .description("list past events, oldest first")
    .option(...SINCE)
    .option(...AFTER)
    .option(...TYPES)
    .addHelpText("after", examples("switchboard events list --since 1h"))
    .action(act(list));
  events
    .command("replay")
    .description("resend past events to an address, oldest first")
    .requiredOption(...FORWARD)
    .option(...SINCE)
    .option(...AFTER)
    .option(...TYPES)
    .option(...SECRET)
    .addHelpText("after", examples("switchboard events replay --since 1h --forward http://localhost:3000/hook"))
    .action(act(replay));
}

async function listen(session: Session, options: Options): Promise<void> {
  const { terminal } = session;
  const forwarding = options.forward === undefined ? null : forwardingOf(session, options);
  const stream = session.client().events(
    "/api/v1/events/stream",
    { types: options.types },
    {
      onOpen: () =>
        terminal.note(
          `${forwarding ? `Sending events to ${forwarding.to}` : "Showing new events"}. Press Ctrl-C to stop.`,
        ),
      onLost: () => terminal.note("The connection was lost. Reconnecting …"),
      onBack: () => terminal.note("Reconnected. Missed events follow."),
    },
  );
  await each(parsed(stream), AT_ONCE, async (event) => {
    if (forwarding) await sendOn(session, event, forwarding);
    else printEvent(session, event);
  });
}

async function* parsed(stream: AsyncIterable<{ data: string }>): AsyncGenerator<JsonObject> {
  for await (const { data } of stream) {
    const event = JSON.parse(data) as Json;
    if (isObject(event)) yield event;
  }
}

async function list(session: Session, options: Options): Promise<void> {
  const client = session.client();
  for await (const event of past(client, filterOf(session, options))) printEvent(session, event);
}

async function replay(session: Session, options: Options): Promise<void> {
  const client = session.client();
  const forwarding = forwardingOf(session, options);
  let [sent, failed] = [0, 0];
  await each(past(client, filterOf(session, options)), AT_ONCE, async (event) => {
    if (await sendOn(session, event, forwarding)) sent++;
    else failed++;
  });
  session.terminal.note(`${sent} sent, ${failed} failed.`);
  if (failed > 0) throw new Failure(EXIT.failed, "not_delivered", `${failed} events could not be delivered`);
}

function filterOf({ world }: Session, { since, after, types }: Options) {
  if ((since === undefined) === (after === undefined)) throw usage("give either --since or --after");
  return { since: since === undefined ? undefined : sinceOf(since, world.now()), after, types };
}

/** Prints the target and the secret; for programs, as the first line. */
function forwardingOf({ terminal, world, apiKey }: Session, { forward = "", secret }: Options): Forwarding {
  if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol)) {
    throw usage(`“${forward}” is not an address that begins with http:// or https://`);
  }
  const signing = secret === undefined ? newSecret() : secretOf(secret);
  if (secret === undefined) {
    terminal.line({ secret: signing });
    terminal.print(`Signing secret: ${signing}`);
  }
  return { to: forward, secret: signing, account: accountOf(apiKey ?? ""), world };
}

async function sendOn({ terminal }: Session, event: JsonObject, forwarding: Forwarding): Promise<boolean> {
  const delivery = await deliver(event, forwarding);
  const { id, type, delivered, tries, status_code, error, duration_ms } = delivery;
  terminal.line({ id, type, delivered, tries, status_code, error, duration_ms });
  const result = delivered ? terminal.style("green", String(status_code)) : terminal.style("red", error ?? "failed");
  terminal.print(
    `${result}  ${type.padEnd(22)}${id}  ${terminal.style("dim", `${duration_ms} ms`)}${tries > 1 ? `  try ${tries}` : ""}`,
  );
  return delivered;
}

function printEvent({ terminal }: Session, event: JsonObject): void {
  terminal.line(event);
  const [at, type, id] = [textOf(event, "at"), textOf(event, "type"), textOf(event, "id")];
  terminal.print(`${terminal.style("dim", at)}  ${type.padEnd(22)}${id}`);
}
