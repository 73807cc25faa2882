import type { OperatorApi } from "./api.ts";
import type { Head, Record_ } from "./records.ts";

interface Options {
  api: OperatorApi;
  /** The account to restore as; that of the backup where it is null. */
  as: string | null;
  /** Base64 */
  transport: string;
}

/** Restores records into a service; gives the account's name, and whether all of it was there before. */
export async function restoreRecords(
  source: AsyncIterable<Record_>,
  { api, as, transport }: Options,
): Promise<{ account: string; before: boolean }> {
  let head: Head | undefined;
  let path = "";
  for await (const record of source) {
    if (record.type === "head") {
      head = record.value;
      path = `/api/admin/v1/accounts/${encodeURIComponent(as ?? head.account.name)}/restore`;
      const { finished } = await api.json<{ finished: boolean }>("PUT", path, {
        backup: head.id,
        account: head.account,
      });
      if (finished) return { account: as ?? head.account.name, before: true };
    } else if (head === undefined) throw new Error("the backup does not begin with its head");
    else if (record.type === "page") {
      const page = { backup: head.id, key: transport, source: head.account.name };
      await api.json("PUT", `${path}/pages`, Object.assign(page, record.value));
    } else if (record.type === "file") {
      const { bucket, name, type } = record.value;
      const headers = { "content-length": String(record.body.length), "x-content-type": type };
      await api.bytes("PUT", `${path}/files/${bucket}/${name}?backup=${head.id}`, {
        body: record.body,
        type: "application/octet-stream",
        headers,
      });
    } else await api.json("POST", `${path}/finish`, { backup: head.id, account: head.account });
  }
  if (head === undefined) throw new Error("the backup is empty");
  return { account: as ?? head.account.name, before: false };
}
