import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD } from "../../../src/dev/demo-data.ts";
import { createAccount } from "../campaigns/account.ts";
import { Service } from "../campaigns/service.ts";

let service: Service;
let headers: Record<string, string>;

// Served as by `npm start`, on the runtime's own socket, because a proxy in front of it would answer broken requests
// itself.
beforeAll(async () => {
  service = await Service.prepare({});
  await service.start();
  ({ headers } = await new ApiClient(service.url, fetch).signIn(await createAccount(service.url), LONG_PASSWORD));
}, 240_000);

afterAll(() => service?.remove());

/** Opens a connection and begins a request on it. */
async function begin(path: string, lines: Record<string, string>): Promise<Socket> {
  const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true });
  await once(socket, "connect");
  const head = Object.entries({ host: "localhost", connection: "close", ...lines }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
  return socket;
}

/** Returns the status and error code of the response. */
async function answerOn(socket: Socket): Promise<{ status: number; code: string | undefined }> {
  const answer = await text(socket);
  socket.destroy();
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]),
    code: /^x-error-code: (.+)\r$/im.exec(answer)?.[1],
  };
}

describe("a request's host", () => {
  const statusFor = async (host: string) =>
    (await answerOn(await begin("/api/v1/integrations/slack/uninstall", { ...headers, host }))).status;

  it.each(["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8787"])("a request for %s is accepted", async (host) => {
    expect(await statusFor(host)).toBe(200);
  });

  it.each(["evil.example", "localhost.evil.example", "127.0.0.2", "sub.localhost", "0.0.0.0"])(
    "a request is refused for %s, because a page may have pointed that name at this machine",
    async (host) => {
      expect(await statusFor(host)).toBe(421);
    },
  );
});

describe("a request for the server as a whole", () => {
  const ask = async (line: string, host: string) => {
    const socket = connect({ port: service.port, host: "127.0.0.1" });
    socket.write(`${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    return text(socket);
  };

  it.each(["localhost", "127.0.0.1:8787", "[::1]:8787"])(
    "a request for the server as a whole returns the allowed methods at %s",
    async (host) => {
      const answer = await ask("OPTIONS *", host);
      expect(answer).toMatch(/^HTTP\/1\.1 204 /);
      const allow = /^allow: (.+)\r$/im.exec(answer)?.[1]?.split(", ").sort();
      expect(allow).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
      expect(answer).toMatch(/^x-request-id: /im);
    },
  );

  it("a request for the server as a whole is refused for another host", async () => {
    expect(await ask("OPTIONS *", "evil.example")).toMatch(/^HTTP\/1\.1 421 /);
  });

  it("a request for the server as a whole is refused by another method", async () => {
    expect(await ask("POST *", "localhost")).toMatch(/^HTTP\/1\.1 405 /);
  });
});

describe("a POST without a body", () => {
  it.each<[string, Record<string, string>]>([
    ["fetch", { "content-length": "0" }],
    ["a client that says nothing of a body", {}],
    [
      "a client that always names a form",
      { "content-length": "0", "content-type": "application/x-www-form-urlencoded" },
    ],
    ["a client that always names JSON", { "content-length": "0", "content-type": "application/json" }],
    ["a browser's form", { "content-length": "0", "content-type": "text/plain;charset=UTF-8" }],
  ])("a POST without a body is accepted from %s", async (_, lines) => {
    for (const path of ["/api/v1/integrations/slack/install", "/api/v1/integrations/slack/uninstall"]) {
      expect(await answerOn(await begin(path, { ...headers, ...lines }))).toEqual({ status: 200, code: undefined });
    }
  });

  it("a POST with an empty chunked body is accepted", async () => {
    const socket = await begin("/api/v1/integrations/slack/install", { ...headers, "transfer-encoding": "chunked" });
    socket.write("0\r\n\r\n");
    expect(await answerOn(socket)).toEqual({ status: 200, code: undefined });
  });

  it("a POST without a body is accepted as fetch sends it", async () => {
    const answer = await fetch(`${service.url}/api/v1/integrations/slack/install`, { method: "POST", headers });
    expect(answer.status).toBe(200);
  });
});

const JSON_BODY = { "content-type": "application/json" };
const CSV =
  '--b\r\ncontent-disposition: form-data; name="contacts"; filename="contacts.csv"\r\n\r\nphone_number\n+12025550123\n';

describe("a body that breaks off", () => {
  it.each<[string, string, Record<string, string>, string]>([
    ["shorter than its length says", "/api/v1/agents", { ...JSON_BODY, "content-length": "100" }, '{"name": "a"}'],
    [
      "closed between two chunks",
      "/api/v1/agents",
      { ...JSON_BODY, "transfer-encoding": "chunked" },
      '6\r\n{"name\r\n',
    ],
    ["closed within a chunk", "/api/v1/agents", { ...JSON_BODY, "transfer-encoding": "chunked" }, '60\r\n{"name'],
    ["of broken chunks", "/api/v1/agents", { ...JSON_BODY, "transfer-encoding": "chunked" }, "zz\r\nno chunk\r\n"],
    ["where none is needed", "/api/v1/integrations/slack/install", { ...JSON_BODY, "content-length": "9" }, "{"],
    ["at login", "/api/login", { ...JSON_BODY, "content-length": "100" }, '{"account": "acme"'],
    [
      "of an upload",
      "/api/v1/campaigns",
      { "content-type": "multipart/form-data; boundary=b", "content-length": "9999" },
      CSV,
    ],
    [
      "of an upload in chunks",
      "/api/v1/campaigns",
      { "content-type": "multipart/form-data; boundary=b", "transfer-encoding": "chunked" },
      `${CSV.length.toString(16)}\r\n${CSV}\r\n`,
    ],
  ])("a body that breaks off is the client's fault: %s", async (_, path, lines, sent) => {
    const socket = await begin(path, { ...headers, ...lines });
    socket.end(sent);
    expect((await answerOn(socket)).status).toBe(400);
    const agents = await fetch(`${service.url}/api/v1/agents`, { headers });
    expect(await agents.json()).toEqual([]);
  });
});
