import { once } from "node:events";
import { WebSocketServer } from "ws";
import { ofCall, ofVisitor, Reporter, Session } from "../../../examples/runtime/session.js";

/**
 * A runtime in text of the smallest kind: says back what it hears, by ConversationRelay or the widget's frames.
 * @param {{ switchboardUrl: string, host: string, key?: string }} options
 */
export async function startRelay({ switchboardUrl, host, key = "sk_live_check" }) {
  const server = new WebSocketServer({ port: 0, host });
  server.on("connection", (socket) => {
    /** @type {Reporter | null} */
    let reporter = null;
    const send = (frame) => socket.send(JSON.stringify(frame));
    const begin = async (credentials, say, ready) => {
      const session = new Session(switchboardUrl, credentials);
      const { agent, disclosure } = await session.get();
      reporter = new Reporter(session);
      reporter.onRefused = () => socket.close(4403);
      if (ready) send(ready);
      if (disclosure && !disclosure.spoken) {
        say(disclosure.text);
        reporter.add("disclosed", {});
      }
      say(agent.greeting_message);
      reporter.add("agent_turn", { text: agent.greeting_message });
    };
    const answer = (words, say) => {
      reporter?.add("user_turn", { text: words });
      say(`You said: ${words}`);
      reporter?.add("agent_turn", { text: `You said: ${words}` });
    };
    const speak = (token) => send({ type: "text", token, last: true });
    const write = (text) => send({ type: "message", text });
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data));
      const refuse = () => socket.close(4401);
      if (frame.type === "setup") begin(ofCall(frame.customParameters.session_token), speak).catch(refuse);
      if (frame.type === "session") begin(ofVisitor(key, frame.access_token), write, { type: "ready" }).catch(refuse);
      if (frame.type === "prompt") answer(frame.voicePrompt, speak);
      if (frame.type === "message") answer(frame.text, write);
    });
    socket.on("close", () => {
      reporter?.add("ended", { reason: "caller_hung_up" });
      reporter?.drain();
    });
  });
  await once(server, "listening");
  return { server, port: server.address().port };
}
