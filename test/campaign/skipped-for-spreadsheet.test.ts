import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { BASE, tenant } from "../support/client.ts";
import { append, contactOf, upload } from "./support.ts";

const LIST = 'phone_number,note\n+12025550110,a\n12,"=1+1"\n+12025550110,"@x"\n';

describe("skipped rows for a spreadsheet", () => {
  it("skipped rows are quoted if a spreadsheet would compute them, and unchanged when uploaded again", async () => {
    const { server } = await tenant();
    const path = `/api/v1/campaigns/${(await upload(server, LIST, { on_invalid: "skip" })).body.id}`;
    const get = async (file: string) => (await server.get<string>(`${path}/${file}`)).body;
    expect(await get("rejects")).toContain("\r\n12,=1+1,3,");
    expect(await get("duplicates")).toContain("\r\n+12025550110,@x,4,2\r\n");
    expect(await get("duplicates?for=spreadsheet")).toContain("\r\n+12025550110,'@x,4,2\r\n");
    const rejects = await get("rejects?for=spreadsheet");
    expect(rejects).toContain("\r\n12,'=1+1,3,");
    const corrected = rejects.replace("\r\n12,", "\r\n+12025550112,");
    expect((await append(server, path, corrected)).body).toEqual({ accepted: 1, rejected: 0, duplicates: 0 });
    expect((await contactOf(server, path, 1)).variables).toEqual({ note: "=1+1" });
  });

  it("begin with a byte order mark, as the other files for spreadsheets do", async () => {
    const { server } = await tenant();
    const path = `/api/v1/campaigns/${(await upload(server, LIST, { on_invalid: "skip" })).body.id}`;
    const files = [`${path}/rejects`, `${path}/duplicates`, `${path}/export`];
    for (const file of [...files, "/api/v1/calls/export", "/api/v1/conversations/export"]) {
      const begins = async (query: string) => {
        const response = await exports.default.fetch(new Request(BASE + file + query, { headers: server.headers }));
        return [...new Uint8Array(await response.arrayBuffer())].slice(0, 3);
      };
      expect(await begins("?for=spreadsheet"), file).toEqual([0xef, 0xbb, 0xbf]);
      expect(await begins(""), file).not.toContain(0xef);
    }
  });

  it("skipped rows are available in no other format", async () => {
    const { server } = await tenant();
    const path = `/api/v1/campaigns/${(await upload(server, LIST, { on_invalid: "skip" })).body.id}`;
    for (const file of ["rejects", "duplicates"])
      expect((await server.get(`${path}/${file}?for=people`)).status).toBe(400);
  });
});
