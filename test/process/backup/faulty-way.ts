import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** The fate of a request: it passes, it is answered with this status, or its connection is cut. */
export type Fault = "pass" | "cut" | number;

/** Opens a proxy to a service on which requests can fail. */
export async function openWay(to: string, faultOf: (path: string) => Fault) {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = "/", headers } = incoming;
    const fault = faultOf(path);
    if (fault === "cut") {
      incoming.socket.destroy();
      return;
    }
    if (fault !== "pass") {
      outgoing.writeHead(fault, { "content-type": "application/json" }).end('"lost on the way"');
      return;
    }
    const { host } = new URL(to);
    const onward = request(to + path, { method, headers: Object.assign({}, headers, { host }) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // The client may already be gone.
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
