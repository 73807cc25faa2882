import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts the part of Twilio that the guides need: it accepts every call and ends it on request. */
export async function startTwilio() {
  const requests: string[] = [];
  let status = "queued";
  const number = { sid: "PN1", phone_number: "+12025550190", capabilities: { voice: true }, voice_url: "" };
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").replace("/2010-04-01/Accounts", "");
    requests.push(`${request.method} ${path}`);
    if (path.includes("/IncomingPhoneNumbers")) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const set = new URLSearchParams(Buffer.concat(chunks).toString()).get("VoiceUrl");
      if (set !== null) number.voice_url = set;
      response.writeHead(200, { "content-type": "application/json" });
      const list = { incoming_phone_numbers: [number], next_page_uri: null };
      return void response.end(JSON.stringify(request.method === "GET" ? list : number));
    }
    if (request.method === "POST" && path.includes("/Calls/")) status = "completed";
    const isAccount = /^\/\w+\.json$/.test(path);
    response.writeHead(request.method === "POST" && path.endsWith("/Calls.json") ? 201 : 200, {
      "content-type": "application/json",
    });
    request
      .resume()
      .on("end", () => response.end(JSON.stringify({ sid: "CA1", status: isAccount ? "active" : status })));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    requests,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((closed) => server.close(closed)),
  };
}
