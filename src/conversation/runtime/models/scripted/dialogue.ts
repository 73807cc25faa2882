import { notUnderstood, resolved, tell, toPerson } from "./answers.ts";
import { askAgain, begin, goOn, namedTool, takesProse } from "./gathering.ts";
import { asksForTime, type Intent, intentOf, isQuestion } from "./intents.ts";
import { purposeOf } from "./purpose.ts";
import { toReply } from "./replies.ts";
import {
  ANYTHING_ELSE,
  type Answer,
  becomes,
  farewell,
  type Scene,
  type State,
  setDisposition,
  speak,
  use,
} from "./scene.ts";

/** An FAQ whose title was said nearly whole is what the caller asks for, whatever else the words could mean. */
const TITLE_SAID = 0.75;
/** Less will do in the middle of something else, where a question is no answer anyway. */
const ASIDE_TITLE_SAID = 0.5;
/** An FAQ that fits this well goes before a tool of which only a part was named. */
const FITS_WELL = 3;

/** What is said and done about a caller's words. */
export function toWords(scene: Scene, state: State, text: string): Answer {
  if (!/[\p{L}\p{N}]/u.test(text)) return notUnderstood(scene, state, "I did not catch that.");
  const intent = intentOf(text);
  const wish = intent && toWish(scene, state, intent);
  if (wish) return wish;
  if (state.gathering) {
    const isAside = isQuestion(text) && !takesProse(scene, state.gathering);
    const [found] = isAside ? scene.knowledge.find(text) : [];
    if (found && found.title_said >= ASIDE_TITLE_SAID) {
      const answer = tell(state, found);
      return speak(answer.state, `${answer.say} ${askAgain(scene, state.gathering)}`);
    }
    const on = goOn(scene, state, state.gathering, text, intent === "yes" || intent === "no");
    if (on) return on;
  }
  const free = becomes(state, { gathering: null });
  return (intent && toReply(scene, free, intent, text)) || toMatter(scene, free, text);
}

/** Wishes that go before everything else, also while something is being asked for. */
function toWish(scene: Scene, state: State, intent: Intent): Answer | null {
  const free = becomes(state, { gathering: null, asked: null });
  switch (intent) {
    case "opt_out": {
      const uses = use(scene, "opt_out");
      if (uses.length > 0) return speak(free, "Of course.", [...uses, ...setDisposition(scene, "opted_out")]);
      const noted = scene.disposition === "opted_out" || setDisposition(scene, "opted_out").length > 0;
      const say = noted
        ? "I understand, and I have noted that you do not want to be called. Goodbye."
        : "I understand that you do not want to be called, but I cannot take your number off the list from here. Goodbye.";
      return farewell(scene, state, say, "opted_out");
    }
    case "wrong_number":
      return farewell(scene, state, "I am sorry to have bothered you. Goodbye.", "wrong_number");
    case "person":
      return toPerson(scene, state);
    case "no_thanks":
      if (state.gathering)
        return speak(becomes(free, { asked: "anything_else" }), `All right, I will leave it. ${ANYTHING_ELSE}`);
      if (state.helped) return farewell(scene, state, "You are welcome. Goodbye.", resolved(scene, state));
      return farewell(scene, state, "That is fine. Thank you for your time. Goodbye.", "not_interested");
    case "not_interested":
      return farewell(scene, state, "That is fine. Thank you for your time. Goodbye.", "not_interested");
    case "bye":
      return farewell(scene, state, "Thank you. Goodbye, and have a good day.", resolved(scene, state));
    case "never_mind":
      return speak(becomes(free, { asked: "anything_else" }), `All right. ${ANYTHING_ELSE}`);
    case "setup":
      return stay(scene, state, "I cannot talk about how I am set up, but I am happy to help with what I know.");
    case "robot":
      return stay(
        scene,
        state,
        "I am a digital assistant, not a human. I can put you through to a person if you ask me to.",
      );
    default:
      return null;
  }
}

/** A matter: a tool that is named, else what the agent knows of it. */
function toMatter(scene: Scene, state: State, text: string): Answer {
  const free = becomes(state, { asked: null });
  const [found] = scene.knowledge.find(text);
  const named = namedTool(scene, text, found);
  const fits = found?.kind === "FAQ" && (found.title_said >= TITLE_SAID || found.score >= FITS_WELL);
  // Who asks a question wants an answer, who says what they want has it done.
  if (named && (named.whole || !fits || !isQuestion(text) || (named.byName && found.title_said < TITLE_SAID))) {
    return begin(named, free);
  }
  if (found) return tell(free, found);
  if (state.asked === "greeting") {
    // "Do you have your order number?" "It is 1042."
    const answered = /\d/.test(text)
      ? namedTool(scene, `${scene.snapshot.agent.greeting_message.slice(-300)} ${text}`, undefined)
      : null;
    if (answered?.whole) return begin(answered, free);
    const purpose = purposeOf(scene.snapshot.agent.system_prompt);
    if (purpose !== null && asksForTime(scene.snapshot.agent.greeting_message)) {
      return speak(free, `Thank you. ${purpose} What would you like to know?`);
    }
  }
  return notUnderstood(scene, state, "I did not quite understand that.");
}

/** An answer in between, after which what was asked for is asked again. */
function stay(scene: Scene, state: State, say: string): Answer {
  const again = state.gathering ? askAgain(scene, state.gathering) : "What would you like to know?";
  return speak(becomes(state, { asked: null }), `${say} ${again}`);
}
