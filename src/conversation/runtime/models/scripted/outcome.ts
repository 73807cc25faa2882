import { spaced } from "./knowledge.ts";
import { readOut, reasonOf, type ToolOutcome } from "./results.ts";
import {
  ANYTHING_ELSE,
  type Answer,
  BUILT_IN,
  becomes,
  type Scene,
  type State,
  setDisposition,
  shallSomebody,
  somebody,
  speak,
  use,
} from "./scene.ts";

/** What is said and done once tools have run. */
export function afterTools(scene: Scene, state: State, outcomes: ToolOutcome[]): Answer {
  const of = (name: string) => outcomes.find((outcome) => outcome.name === name);
  const optOut = of("opt_out");
  if (optOut) {
    const say = optOut.ok
      ? "Your number is off our list, and we will not call you again. Goodbye."
      : "I am sorry, I could not take your number off the list myself. I have noted that you do not want to be called, and a colleague will take care of it. Goodbye.";
    return speak(state, say, [...setDisposition(scene, "opted_out"), ...use(scene, "end_call")]);
  }
  const transfer = of("transfer_call");
  const open = becomes(state, { asked: "anything_else" });
  if (transfer?.ok) return speak(becomes(state, { helped: true }), "I am putting you through now.");
  if (transfer) {
    const say = `I am sorry, I could not reach anybody. ${somebody(scene)}.`;
    return speak(open, say, setDisposition(scene, "callback_requested"), ANYTHING_ELSE);
  }
  const own = outcomes.filter(({ name }) => !BUILT_IN.has(name));
  if (own.length > 0) return told(scene, state, own);
  if (of("end_call") || state.next === "") return speak(state, "Goodbye.");
  return speak(state, state.next);
}

function told(scene: Scene, state: State, outcomes: ToolOutcome[]): Answer {
  const failed = outcomes.find(({ ok }) => !ok);
  if (failed) {
    const reason = reasonOf(failed.value);
    const why = reason === "" ? "" : ` The reason given is: ${reason}.`;
    const say = `I am sorry, that did not work: I could not ${spaced(failed.name)}.${why} You can ask me to try it again. ${shallSomebody(scene)}`;
    return speak(becomes(state, { asked: "callback" }), say);
  }
  const read = outcomes.map(({ value }) => readOut(value)).filter((one) => one !== "");
  const say = read.length === 0 ? "That is done." : `Here is what I have. ${read.join(" ")}`;
  return speak(becomes(state, { helped: true, asked: "anything_else" }), `${say} ${ANYTHING_ELSE}`);
}
