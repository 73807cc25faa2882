import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";

/** A request as it arrived. */
export interface Got {
  headers: Record<string, string>;
  body: string;
  id: string;
}

type Behavior = (response: ServerResponse, request: IncomingMessage) => void;

const GIGABYTE = 1e9;
const CHUNK = Buffer.alloc(65_536, "x");

/** The receivers' faults by path. */
export const BEHAVIORS = {
  good: (response) => response.writeHead(200).end("thanks"),
  hangs: () => undefined,
  redirects: (response) => response.writeHead(302, { location: "/trap" }).end(),
  trap: (response) => response.writeHead(200).end(),
  gone: (response) => response.writeHead(410).end("gone for good"),
  throttles: (response) => response.writeHead(429, { "retry-after": "3600" }).end("slow down"),
  breaks: (response) => response.writeHead(500).end("out of order"),
  cuts: (response) => response.socket?.destroy(),
} satisfies Record<string, Behavior>;

/** Starts servers of customers, one for each path of one port. They record every request. */
export async function startReceivers(port: number) {
  const got = new Map<string, Got[]>();
  const behaviors = new Map<string, Behavior>(Object.entries(BEHAVIORS));
  /** How many bytes of its gigabyte the service read. */
  let taken = 0;
  behaviors.set("huge", (response) => {
    response.writeHead(200, { "content-length": GIGABYTE });
    const more = () => {
      while (!response.destroyed && taken < GIGABYTE) {
        taken += CHUNK.length;
        if (!response.write(CHUNK)) return void response.once("drain", more);
      }
    };
    more();
  });
  const server = createServer(async (request, response) => {
    const name = (request.url ?? "").slice(1);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const one = { headers, body: Buffer.concat(chunks).toString(), id: headers["webhook-id"] ?? "" };
    got.set(name, [...(got.get(name) ?? []), one]);
    behaviors.get(name)?.(response, request);
  });
  server.on("clientError", (_, socket) => socket.destroy());
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  return {
    at: (name: string) => got.get(name) ?? [],
    taken: () => taken,
    behave: (name: string, behavior: Behavior) => void behaviors.set(name, behavior),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Checks that the request is signed with the secret. @throws WebhookVerificationError */
export function verified({ headers, body }: Got, secret: string): Record<string, unknown> {
  return new Webhook(secret).verify(body, headers) as Record<string, unknown>;
}
