import { callBack, interested, offer, resolved, tell, toPerson } from "./answers.ts";
import { begin, namedTool, retry } from "./gathering.ts";
import { asksForTime, type Intent } from "./intents.ts";
import { nameOf, purposeOf } from "./purpose.ts";
import {
  ANYTHING_ELSE,
  type Answer,
  becomes,
  farewell,
  type Scene,
  type State,
  setDisposition,
  shallSomebody,
  somebody,
  speak,
} from "./scene.ts";
import { cut } from "./words.ts";

/** Replies to what the agent said, and to the conversation as such. */
export function toReply(scene: Scene, state: State, intent: Intent, text: string): Answer | null {
  const free = becomes(state, { asked: null });
  const open = becomes(state, { asked: "anything_else" });
  switch (intent) {
    case "yes":
      return toYes(scene, state);
    case "no":
      return toNo(scene, state);
    case "interested":
      if (state.asked && state.asked !== "greeting" && state.asked !== "pitch") return toYes(scene, state);
      return interested(scene, state);
    case "thanks": {
      const uses = state.helped && scene.disposition === null ? setDisposition(scene, "resolved") : [];
      return speak(open, "You are welcome.", uses, ANYTHING_ELSE);
    }
    case "busy": {
      const named = namedTool(scene, `schedule callback ${text}`, undefined);
      if (named && /call_?back/i.test(named.tool.name)) return begin(named, free);
      return farewell(scene, state, `I understand. ${somebody(scene)} another time. Goodbye.`, "callback_requested");
    }
    case "who": {
      const { agent, company } = nameOf(scene.snapshot);
      const who = `This is ${agent === "" ? "the digital assistant" : `${agent}, the digital assistant`}${company === null ? "" : ` of ${company}`}.`;
      const purpose = purposeOf(scene.snapshot.agent.system_prompt);
      return speak(free, [who, purpose, "What can I do for you?"].filter((one) => one !== null).join(" "));
    }
    case "capabilities":
      return speak(free, `${offer(scene)} What would you like?`);
    case "repeat":
      return scene.lastSaid === ""
        ? null
        : speak(state, `I said: ${cut(scene.lastSaid.replace(/^(?:I said: )+/, ""), 600)}`);
    case "more": {
      const again = state.told && scene.knowledge.named(state.told.name);
      return again ? tell(free, again) : null;
    }
    case "again":
      return retry(scene, free);
    case "hello":
      return speak(free, "Hello. What can I do for you?");
    default:
      return null;
  }
}

function toYes(scene: Scene, state: State): Answer {
  const free = becomes(state, { asked: null });
  switch (state.asked) {
    case "greeting": {
      const greeting = scene.snapshot.agent.greeting_message;
      const purpose = purposeOf(scene.snapshot.agent.system_prompt);
      if (!asksForTime(greeting) || purpose === null) {
        // "Do you have your order number?"
        const named = asksForTime(greeting) ? null : namedTool(scene, greeting.slice(-300), undefined);
        return named ? begin(named, free) : speak(free, `Good. ${offer(scene)} What would you like?`);
      }
      return speak(becomes(state, { asked: "pitch" }), `Thank you. ${purpose} Would you like to hear more?`);
    }
    case "pitch":
      return interested(scene, state);
    case "person":
      return toPerson(scene, state);
    case "callback":
      return callBack(scene, state);
    case "anything_else":
      return speak(free, "Sure. What is it?");
    default:
      if (!state.helped) return speak(free, "Good. What can I do for you?");
      return speak(becomes(state, { asked: "anything_else" }), `Good. ${ANYTHING_ELSE}`);
  }
}

function toNo(scene: Scene, state: State): Answer {
  switch (state.asked) {
    case "greeting":
      if (!asksForTime(scene.snapshot.agent.greeting_message)) break;
      return speak(
        becomes(state, { asked: "callback" }),
        `I understand. ${shallSomebody(scene).slice(0, -1)} another time?`,
      );
    case "pitch":
      return farewell(scene, state, "That is fine. Thank you for your time. Goodbye.", "not_interested");
    case "callback":
      if (state.helped || scene.snapshot.call?.direction !== "outbound") break;
      return farewell(scene, state, "That is fine. Thank you for your time. Goodbye.", "not_interested");
    case "anything_else":
      return farewell(scene, state, "Thank you. Goodbye, and have a good day.", resolved(scene, state));
    default:
  }
  return speak(becomes(state, { asked: null }), `All right. ${offer(scene)} What would you like?`);
}
