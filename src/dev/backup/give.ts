import pMap from "p-map";
import { v7 as uuidv7 } from "uuid";
import { UnexpectedAnswer } from "../client.ts";
import type { OperatorApi } from "./api.ts";
import type { OpenBackup } from "./file.ts";
import { type Erased, isErased, optOutsOf } from "./later.ts";
import type { Head, PageRecord, Record_ } from "./records.ts";

interface Options {
  api: OperatorApi;
  /** The name to restore the account as; null for its name in the backup. */
  as: string | null;
  /** The account's plan; the plan in the backup is not used. */
  plan: string;
  /** Base64 */
  transport: string;
  /** The erasures at the source since the backup; null if they are unknown. */
  since?: Since | null;
}

/** The erasures at the source since the backup, and the later file from which they were read. */
export interface Since {
  erased: Erased;
  later: OpenBackup;
  pause: (ms: number) => Promise<unknown>;
  say: (line: string) => void;
}

/** The most erasures at a time; the service allows twenty. */
const ERASED_AT_ONCE = 8;
/** The number of ids removed in one request. */
const REMOVED_AT_ONCE = 100;
/** The interval at which an erasure is polled, ms, and the most polls: it may wait for a call to end. */
const LOOK_MS = 1_000;
const LOOKS = 1_800;

/** Restores records into a service. Returns the account's name, and whether everything already existed. */
export async function restoreRecords(
  source: AsyncIterable<Record_>,
  { api, as, plan, transport, since = null }: Options,
): Promise<{ account: string; before: boolean }> {
  let head: Head | undefined;
  let path = "";
  for await (const record of source) {
    if (record.type === "head") {
      head = record.value;
      if (head.erasures)
        throw new Error("the file contains only erasures: pass it with --erasures, together with a backup");
      path = `/api/admin/v1/accounts/${encodeURIComponent(as ?? head.account.name)}/restore`;
      const { finished } = await api.json<{ finished: boolean }>("PUT", path, {
        backup: head.id,
        account: head.account,
        plan,
      });
      if (finished && since !== null)
        throw new Error(
          `${as ?? head.account.name} is already restored, and erasures can only be applied during a restore: restore it under another name with --as`,
        );
      if (finished) return { account: as ?? head.account.name, before: true };
    } else if (head === undefined) throw new Error("the backup does not begin with its header");
    else if (record.type === "page") {
      await writePage(api, path, head, transport, record.value);
    } else if (record.type === "file") {
      if (since !== null && isErased(since.erased, record)) continue;
      await writeFile(api, path, head, record);
    } else {
      if (since !== null) await eraseSince(api, path, head, since);
      await api.json("POST", `${path}/finish`, { backup: head.id, account: head.account });
    }
  }
  if (head === undefined) throw new Error("the backup is empty");
  return { account: as ?? head.account.name, before: false };
}

/** @throws Error if the text would lead to another path: requests carry an operator's credentials */
function inPath(text: string): string {
  if (!/^[0-9A-Za-z-]+(\.[a-z]+)*$/.test(text)) throw new Error("the backup contains a file with an invalid name");
  return text;
}

function writePage(api: OperatorApi, path: string, head: Head, key: string, value: PageRecord): Promise<unknown> {
  return api.json("PUT", `${path}/pages`, Object.assign({ backup: head.id, key, source: head.account.name }, value));
}

/**
 * Writes a file. A file without a row is skipped: the source deleted the row either after the file was read or before
 * that.
 */
async function writeFile(api: OperatorApi, path: string, head: Head, record: Record_ & { type: "file" }) {
  const { bucket, name, type } = record.value;
  // There is no Content-Length, because `fetch` sets it and rejects one that is given.
  const headers = { "x-content-type": type };
  const sent = { body: record.body, type: "application/octet-stream", headers };
  try {
    await api.bytes("PUT", `${path}/files/${inPath(bucket)}/${inPath(name)}?backup=${inPath(head.id)}`, sent);
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer) || error.code !== "file_not_listed") throw error;
  }
}

/** Repeats the source's erasures at the target before the account is opened. */
async function eraseSince(api: OperatorApi, path: string, head: Head, since: Since): Promise<void> {
  const { erased, later, pause, say } = since;
  const backup = head.id;
  // Opt-outs first, because those of erased people are stored without their number.
  for await (const page of optOutsOf(later)) await writePage(api, path, head, later.keys.transport, page);
  const [conversations, recordings] = [[...erased.conversations], [...erased.recordings]];
  for (let n = 0; n < Math.max(conversations.length, recordings.length); n += REMOVED_AT_ONCE) {
    const these = (ids: string[]) => ids.slice(n, n + REMOVED_AT_ONCE);
    const removals = { backup, conversations: these(conversations), recordings: these(recordings) };
    await api.json("POST", `${path}/removals`, removals);
  }
  if (erased.numbers.size > 0) say(`erasing ${erased.numbers.size} people who were erased after the backup`);
  await pMap(
    erased.numbers,
    async (phone_number) => {
      // A new id each time, so that data which a repeated restore brings back is erased again.
      const erasure = `${path}/erasures/${uuidv7()}`;
      for (let n = 0; n < LOOKS; n++) {
        const { status } = await api.json<{ status: string }>("PUT", erasure, { backup, phone_number });
        if (status === "complete") return;
        await pause(LOOK_MS);
      }
      throw new Error("an erasure did not complete in time; the account stays disabled: run the restore again");
    },
    { concurrency: ERASED_AT_ONCE },
  );
}
