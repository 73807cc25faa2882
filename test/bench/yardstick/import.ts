/** The yardstick of the import: the parser fed piece by piece, batched inserts into an object, and nothing else. */
import { DurableObject } from "cloudflare:workers";
import Papa from "papaparse";

const PARSED_CHARS = 262_144;
const ROWS = 5_000;

export class BareImport extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE contacts (id INTEGER PRIMARY KEY, phone TEXT NOT NULL, variables TEXT NOT NULL)");
    const decoder = new TextDecoder();
    let text = "";
    let rows: [phone: string, variables: string[]][] = [];
    let header = true;
    const insert = () => {
      sql.exec(
        "INSERT INTO contacts (phone, variables) SELECT value ->> 0, value -> 1 FROM json_each(?)",
        JSON.stringify(rows),
      );
      rows = [];
    };
    const parse = (more: boolean) => {
      const parser = new Papa.Parser({ delimiter: ",", newline: "\n" });
      const { data, meta } = parser.parse(text, 0, more) as Papa.ParseResult<string[]>;
      text = text.slice(meta.cursor);
      if (header) data.shift();
      header = false;
      for (const [phone = "", ...variables] of data) if (phone !== "") rows.push([phone, variables]);
      if (rows.length >= ROWS) insert();
    };
    for await (const chunk of request.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= PARSED_CHARS) parse(true);
    }
    parse(false);
    insert();
    return Response.json(sql.exec("SELECT count(*) contacts FROM contacts").one());
  }
}

export default {
  fetch(request: Request, env: { BARE_IMPORT: DurableObjectNamespace<BareImport> }): Promise<Response> {
    return env.BARE_IMPORT.get(env.BARE_IMPORT.newUniqueId()).fetch(request.url, {
      method: "POST",
      body: request.body,
    });
  },
};
