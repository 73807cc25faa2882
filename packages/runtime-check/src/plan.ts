import { parseArgs } from "node:util";
import type { Plan } from "./check.ts";
import { type CarrierName, DIALECTS } from "./dialects.ts";
import { TEXT_PROTOCOLS, type TextProtocolName } from "./text-line.ts";

const CONTRACT_PORT = 8799;
const CARRIER_URL = "http://127.0.0.1:8798";

export const USAGE = `switchboard-runtime-check <ws url> [options]

  --carrier <name>       stream audio as ${Object.keys(DIALECTS).join(", ")}; default twilio
  --protocol <name>      speak in text instead: ${Object.keys(TEXT_PROTOCOLS).join(", ")}
  --contract-port <n>    where this program serves the contract, default ${CONTRACT_PORT}: start the runtime with
                         SWITCHBOARD_URL=http://127.0.0.1:<n>
  --service <url>        use a running Switchboard's contract instead; needs --key, and for calls --carrier-url
  --key <sk_live_…>      an API key of that Switchboard, default $SWITCHBOARD_KEY
  --carrier-url <url>    what that Switchboard was started with as TWILIO_API_URL, default ${CARRIER_URL}
  --patience <s>         seconds the runtime may take for each step, default 10
  --speech <file.wav>    what the caller says (16-bit PCM, one channel), default a buzz
  --says <text>          what the caller says with --protocol
  --json                 print the result as JSON
  --help                 print this`;

/** An invalid command line. */
export class Misuse extends Error {}

/** Parses the command line; null for help. @throws Misuse */
export function planOf(args: string[], env: NodeJS.ProcessEnv): { plan: Plan; asJson: boolean } | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const [url = "", more] = positionals;
  if (more !== undefined) throw new Misuse(`unexpected argument: ${more}`);
  if (!/^wss?:\/\//.test(url) || !URL.canParse(url)) throw new Misuse("pass the address of a runtime: ws://…");
  if (values.carrier !== undefined && values.protocol !== undefined)
    throw new Misuse("--carrier is for media streams, --protocol for text: use one of them");
  const speaks = values.protocol ?? values.carrier ?? "twilio";
  if (!isKnown(values.protocol === undefined ? DIALECTS : TEXT_PROTOCOLS, speaks))
    throw new Misuse(`unknown carrier or protocol: ${speaks}`);
  const timeoutMs = 1000 * numberOf(values.patience ?? "10", "--patience");
  const key = values.key ?? env.SWITCHBOARD_KEY ?? "";
  if (values.service !== undefined && key === "") throw new Misuse("--service needs --key, or SWITCHBOARD_KEY");
  if (values.service !== undefined && values.carrier !== undefined && values.carrier !== "twilio")
    throw new Misuse("--service only supports calls by Twilio");
  const contract =
    values.service === undefined
      ? { port: numberOf(values["contract-port"] ?? String(CONTRACT_PORT), "--contract-port") }
      : { service: values.service, key, carrierUrl: values["carrier-url"] ?? CARRIER_URL };
  const { speech, says } = values;
  const words = { ...(speech !== undefined && { speech }), ...(says !== undefined && { says }) };
  return { plan: { url, speaks, timeoutMs, contract, ...words }, asJson: values.json ?? false };
}

function parsed(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        carrier: text,
        protocol: text,
        "contract-port": text,
        service: text,
        key: text,
        "carrier-url": text,
        patience: text,
        speech: text,
        says: text,
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error));
  }
}

function isKnown(names: object, name: string): name is CarrierName | TextProtocolName {
  return Object.hasOwn(names, name);
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Misuse(`${option} must be a number above 0, not ${text}`);
  return number;
}
