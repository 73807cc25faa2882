/**
 * A stand-in for curl as the guides use it. It knows only the options that they use, writes down each request, and
 * fails if the service refuses it. With DRY set, it sends nothing.
 */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";

/** A request in a guide. */
export interface GuideRequest {
  method: string;
  path: string;
  query: string[];
  headers: Record<string, string>;
  /** The names of the fields of its body; null if it has none. */
  fields: string[] | null;
  /** Null if it was not sent. */
  status: number | null;
  answer: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    "no-buffer": { type: "boolean", short: "N" },
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true },
    data: { type: "string", short: "d" },
    form: { type: "string", short: "F", multiple: true },
    output: { type: "string", short: "o" },
  },
});
const { header = [], data, form, output } = values;
const [address = "", ...more] = positionals;
if (more.length > 0) throw new Error(`one address at a time, not also ${more.join(" ")}`);
const url = new URL(address);
const method = values.request ?? (data !== undefined || form ? "POST" : "GET");
const headers = Object.fromEntries(header.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));

const body = form ? await formOf(form) : data;
const fields = form ? [...(body as FormData).keys()] : data === undefined ? null : Object.keys(JSON.parse(data));
const { status, answer } = process.env.DRY ? { status: null, answer: "" } : await send();
const request: GuideRequest = {
  method,
  path: url.pathname,
  query: [...url.searchParams.keys()],
  headers,
  fields,
  status,
  answer,
};
await appendFile(process.env.REQUESTS ?? "", `${JSON.stringify(request)}\n`);
if (output) await writeFile(output, answer);
else process.stdout.write(answer);
process.exitCode = status !== null && status >= 400 ? 22 : 0;

async function send() {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
  return { status: response.status, answer: streams ? await watched(response) : await response.text() };
}

/** Reads a campaign's stream until the campaign is completed, when the reader would press Ctrl+C. */
async function watched(response: Response): Promise<string> {
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (/event: campaign\ndata: .*"status":"completed".*\n/.test(text)) break;
  }
  return text;
}

async function formOf(parts: string[]): Promise<FormData> {
  const form = new FormData();
  for (const part of parts) {
    const [name = "", value = ""] = part.split(/=(.*)/s);
    if (value.startsWith("@")) form.set(name, new File([await readFile(value.slice(1))], basename(value.slice(1))));
    else form.set(name, value);
  }
  return form;
}
