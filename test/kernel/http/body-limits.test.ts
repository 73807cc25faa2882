import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, call, tenant } from "../../support/client.ts";

const KB = 1024;
const MB = 1024 * KB;
const PUBLIC = [
  "/api/login",
  "/api/v1/widget/auth/guest",
  "/api/v1/widget/auth/exchange",
  "/api/v1/widget/auth/refresh",
  "/api/telephony/webhooks/sandbox/acme/1",
  "/api/telephony/inbound/twilio/acme",
];
const JSON_TYPE = { "content-type": "application/json" };

/** Sends more than may ever be read, and counts how much was read. */
async function endless(path: string, headers: Record<string, string>) {
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (bytes >= 8 * MB) return controller.close();
      bytes += 16 * KB;
      controller.enqueue(new Uint8Array(16 * KB).fill(32));
    },
  });
  const request = new Request(BASE + path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body });
  const { status } = await app.fetch(request, env, createExecutionContext());
  return { status, bytes };
}

describe("bodies of unauthenticated requests", () => {
  it.each(PUBLIC)("unauthenticated bodies to %s are kept up to 64 KiB, and read up to 1 MiB", async (path) => {
    const padded = (size: number) => "{}".padEnd(size);
    const send = (raw: string) => call("POST", path, { headers: JSON_TYPE, raw });
    expect((await send(padded(64 * KB))).status).not.toBe(413);
    const over = await send(padded(64 * KB + 1));
    expect([over.status, over.code, over.body]).toEqual([413, "body_too_large", "the body is larger than 65536 bytes"]);
    const { status, bytes } = await endless(path, {});
    expect(status).toBe(413);
    expect(bytes).toBeLessThan(1.2 * MB);
  });

  it.each(PUBLIC)("unauthenticated bodies to %s are not read if they announce more", async (path) => {
    const { status, bytes } = await endless(path, { "content-length": String(MB + 1) });
    expect(status).toBe(413);
    expect(bytes).toBeLessThanOrEqual(32 * KB);
  });
});

describe("bodies of authenticated clients", () => {
  it("an authenticated client's body is kept up to 1 MiB", async () => {
    const { server } = await tenant();
    const body = JSON.stringify({ name: "big", description: "x" }).padEnd(MB);
    expect((await server.send("POST", "/api/v1/tools", body, JSON_TYPE)).status).not.toBe(413);
    expect((await server.send("POST", "/api/v1/tools", `${body} `, JSON_TYPE)).status).toBe(413);
  });

  it("a body without a valid credential is not read", async () => {
    const { bytes, status } = await endless("/api/v1/tools", { authorization: "Bearer sk_live_acme_x" });
    expect([status, bytes <= 32 * KB]).toEqual([401, true]);
  });
});
