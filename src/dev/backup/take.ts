import { v7 as uuidv7 } from "uuid";
import type { OperatorApi } from "./api.ts";
import { erasuresIn } from "./later.ts";
import type { Head, PageRecord, Record_ } from "./records.ts";

interface Begun {
  account: Head["account"];
  live: { calls: number; conversations: number; recordings: number };
}
type Page = PageRecord & { files: { name: string; size: number }[]; next: string | null };

interface Options {
  api: OperatorApi;
  account: string;
  /** Base64 */
  transport: string;
  move: boolean;
  now: () => Date;
  pause: (ms: number) => Promise<unknown>;
  say: (line: string) => void;
}

/** The interval at which the account is polled until it is at rest, ms, and the most polls. */
const REST_LOOK_MS = 2_000;
const REST_LOOKS = 600;

/** Yields the records of an account. For a move, first disables the account and waits until it is at rest. */
export async function* recordsOf(options: Options): AsyncGenerator<Record_> {
  const { api, transport, move, now } = options;
  const path = `/api/admin/v1/accounts/${encodeURIComponent(options.account)}`;
  const begin = () => api.json<Begun>("POST", `${path}/backup`);
  // The account's state before a move disables it.
  let { account } = await begin();
  if (move) {
    const { disabled_at } = account;
    await api.json("PATCH", path, { disabled: true });
    await atRest(begin, options);
    account = Object.assign({}, (await begin()).account, { disabled_at });
  }
  const head: Head = { format: 1, id: uuidv7(), taken_at: now().toISOString(), source: api.base, account, moved: move };
  yield { type: "head", value: head };
  for (let after: string | null = null; ; ) {
    const page: Page = await api.json<Page>("POST", `${path}/backup/pages`, { key: transport, after });
    const { store, steps, tables, last, files, next } = page;
    yield { type: "page", value: { store, steps, tables, last } };
    for (const { name } of files) {
      const file = await api.bytes("GET", `${path}/backup/files/${store}/${name}`);
      yield { type: "file", value: { bucket: store, name, type: file.type }, body: file.bytes };
    }
    if (next === null) return;
    after = next;
  }
}

/** Yields only the records about erased people and opt-outs. Stops at the first file, because files come last. */
export async function* erasuresOf(options: Omit<Options, "move">): AsyncGenerator<Record_> {
  for await (const record of recordsOf(Object.assign({ move: false }, options))) {
    if (record.type === "head") yield { type: "head", value: Object.assign({}, record.value, { erasures: true }) };
    if (record.type !== "page") continue;
    if (record.value.store === "recordings") return;
    const page = erasuresIn(record.value);
    if (page !== null) yield { type: "page", value: page };
  }
}

async function atRest(begin: () => Promise<Begun>, { pause, say }: Options): Promise<void> {
  for (let n = 0; n < REST_LOOKS; n++) {
    const { calls, conversations, recordings } = (await begin()).live;
    if (calls + conversations + recordings === 0) return;
    if (n % 15 === 0)
      say(
        `waiting for ${calls} calls and ${conversations} conversations to end and ${recordings} recordings to be fetched`,
      );
    await pause(REST_LOOK_MS);
  }
  throw new Error(
    "calls, conversations or recordings did not finish in time; the account stays disabled: run the command again",
  );
}
