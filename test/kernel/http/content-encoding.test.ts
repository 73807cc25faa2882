import { describe, expect, it } from "vitest";
import { decodedBody } from "../../../src/kernel/http/content-encoding.ts";
import { contactsCsv } from "../../campaign/support.ts";
import { type Client, tenant } from "../../support/client.ts";

const AGENTS = "/api/v1/agents";
const MIB = 1024 * 1024;

const compressed = (format: "gzip" | "deflate", ...parts: (string | Uint8Array)[]) =>
  new Response(new Blob(parts).stream().pipeThrough(new CompressionStream(format))).bytes();
const post = (client: Client, raw: BodyInit, encoding: string) =>
  client.send("POST", AGENTS, raw, { "content-type": "application/json", "content-encoding": encoding });

describe("a compressed body", () => {
  it.each([
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["deflate", "deflate"],
  ] as const)("a compressed body of %s is read", async (encoding, format) => {
    const { server } = await tenant();
    const answer = await post(server, await compressed(format, '{"name": "Ada"}'), encoding);
    expect([answer.status, answer.body]).toMatchObject([201, { name: "Ada" }]);
  });

  it("a body with the encoding identity is read as it is", async () => {
    const { server } = await tenant();
    expect((await post(server, '{"name": "Ada"}', "identity")).status).toBe(201);
  });

  it.each(["br", "zstd", "gzip, gzip", "compress"])(
    "a compressed body of %s is refused, naming the accepted encodings",
    async (encoding) => {
      const { server } = await tenant();
      const answer = await post(server, await compressed("gzip", '{"name": "Ada"}'), encoding);
      expect([answer.status, answer.code]).toEqual([415, "unsupported_content_encoding"]);
      expect(answer.headers.get("accept-encoding")).toBe("gzip, deflate");
    },
  );

  it("may be as large as an uncompressed one", async () => {
    const { server } = await tenant();
    // The body is padded with white space, because a text of this size would be refused for its length.
    const body = (bytes: number) => `{"name": "a"${" ".repeat(bytes - 14)} }`;
    expect((await post(server, await compressed("gzip", body(MIB)), "gzip")).status).toBe(201);
    const over = await post(server, await compressed("gzip", body(MIB + 1)), "gzip");
    expect([over.status, over.code]).toEqual([413, "body_too_large"]);
    const bomb = await post(server, await compressed("gzip", ...Array<string>(40).fill(" ".repeat(MIB))), "gzip");
    expect([bomb.status, bomb.code]).toEqual([413, "body_too_large"]);
  });

  it("a compressed body that contradicts its header or is cut off is a named error", async () => {
    const { server } = await tenant();
    const whole = await compressed("gzip", '{"name": "Ada"}');
    for (const raw of ['{"name": "Ada"}', whole.slice(0, -6)]) {
      const answer = await post(server, raw, "gzip");
      expect([answer.status, answer.code]).toEqual([400, "malformed_content"]);
    }
    expect((await server.get(AGENTS)).body).toEqual([]);
  });

  it("a compressed body is decompressed no faster than it is read", async () => {
    const bytes = await compressed("gzip", ...Array<string>(64).fill(" ".repeat(MIB)));
    let taken = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (taken >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(taken, taken + 1024));
        taken += 1024;
      },
    });
    const reader = decodedBody({ headers: new Headers({ "content-encoding": "gzip" }), body })?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    expect(taken).toBeLessThan(8 * 1024);
    expect(taken).toBeLessThan(bytes.length / 4);
    await reader?.cancel();
  });

  it("may be an upload of contacts", async () => {
    const { server } = await tenant();
    const form = new FormData();
    form.set("contacts", new File([contactsCsv(3)], "contacts.csv", { type: "text/csv" }));
    const plain = new Response(form);
    const type = plain.headers.get("content-type") ?? "";
    const raw = await compressed("gzip", await plain.bytes());
    const headers = { "content-type": type, "content-encoding": "gzip" };
    const answer = await server.send("POST", "/api/v1/campaigns", raw, headers);
    expect([answer.status, answer.body]).toMatchObject([201, { total_contacts: 3 }]);
  });

  it("a compressed body is refused from a carrier, whose signature covers the bytes", async () => {
    const { server, account } = await tenant();
    const path = `/api/telephony/webhooks/twilio/${account}/${crypto.randomUUID()}`;
    const answer = await server.send("POST", path, await compressed("gzip", "a=b"), { "content-encoding": "gzip" });
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  });
});
