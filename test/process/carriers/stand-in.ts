import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}
export interface Reply {
  status?: number;
  /** An object is sent as JSON, a string unchanged. */
  body?: object | string;
  headers?: Record<string, string>;
  /** Called once the response is sent. */
  sent?: () => void;
}
/**
 * The stand-in's reaction to a request; "hang" never answers, "close" breaks the connection, "half" truncates the
 * answer.
 */
export type Played = Reply | "hang" | "close" | "half";
export type Script = (request: ReceivedRequest) => Played | Promise<Played>;

/** Starts a server that plays a carrier and records its requests. */
export async function standIn() {
  let script: Script = () => ({ status: 500 });
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://carrier");
    const one = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(one);
    const reply = await script(one);
    if (reply === "hang") return;
    if (reply === "close") return request.socket.destroy();
    if (reply === "half") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"sid":"');
      return setImmediate(() => request.socket.destroy());
    }
    const { status = 200, body = "", headers = {}, sent } = reply;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(text, sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    play(next: Script) {
      requests.length = 0;
      script = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type StandIn = Awaited<ReturnType<typeof standIn>>;
