import { plain, wordsOf } from "./words.ts";

/** What a caller wants of the conversation itself, whatever it is about. */
export type Intent =
  | "opt_out"
  | "wrong_number"
  | "setup"
  | "robot"
  | "who"
  | "person"
  | "busy"
  | "no_thanks"
  | "not_interested"
  | "bye"
  | "interested"
  | "thanks"
  | "more"
  | "again"
  | "repeat"
  | "capabilities"
  | "never_mind"
  | "yes"
  | "no"
  | "hello";

/** What tells an intent. */
interface Sign {
  intent: Intent;
  said: RegExp;
  /** What takes it back. */
  unless?: RegExp;
  /** Most words of a turn that is about this and nothing else; any number where it is absent. */
  words?: number;
}

const PEOPLE =
  "(?:person|people|human|human being|agent|representative|rep|operator|receptionist|someone|somebody|manager|supervisor|colleague|advisor|adviser|specialist|employee|member of staff)";
const A = "(?:an? |the |your |some |any )?(?:real |live |actual |human )?";
const NOT = "(?:do not|don't|dont|never|no need to|rather not|won't|did not|didn't)";

/** In the order in which they are asked: the first that fits is it. */
const SIGNS: Sign[] = [
  {
    intent: "opt_out",
    said: /\b(?:stop|quit) (?:calling|phoning|ringing|contacting|texting|bothering)\b|\b(?:do not|don't|dont|never) (?:ever )?(?:call|phone|ring|contact|text) (?:me|us|here|this number|again|any ?more|back)\b|\b(?:take|get|strike) (?:me|us|my (?:phone )?number|this number) off\b|\b(?:remove|delete|erase) (?:me|us|my (?:phone )?number|this number)\b|\bopt(?:ed|ing)?(?: me| us)? out\b|\bunsubscribe\b|\bno more calls\b|\blose (?:my|this) number\b|\bdo[ -]not[ -]call list\b/,
    unless: /\b(?:call|phone|ring|contact) (?:me|us)(?: back)? (?:before|until|till|later than)\b/,
  },
  { intent: "wrong_number", said: /\bwrong (?:number|person)\b/, words: 20 },
  {
    intent: "setup",
    said: /\b(?:system|initial|hidden|secret|developer) (?:prompt|instructions?|message)\b|\byour (?:prompt|instructions|rules|configuration)\b|\b(?:ignore|disregard|forget) (?:all |any )?(?:of )?(?:your |the |my )?(?:previous|prior|above|earlier|instructions)\b/,
  },
  {
    intent: "robot",
    said: /\b(?:are|is) (?:you|this|that|it) (?:an? )?(?:real |actual |live )?(?:human|robot|bot|machine|ai|computer|person|recording|chatbot)\b|\bam i (?:talking|speaking) (?:to|with) (?:an? )?(?:real |actual |live )?(?:human|robot|bot|machine|ai|computer|person|recording)\b/,
  },
  {
    intent: "person",
    said: new RegExp(
      `\\b(?:talk|speak|chat|connect me|pass me|get through)(?: with| to)? ${A}${PEOPLE}\\b|\\b(?:get|give|want|need|have|transfer(?: me)? to) (?:me )?${A}${PEOPLE}\\b|\\b(?:real|live|actual) ${PEOPLE}\\b|\\b(?:put|transfer|patch) (?:me|us) (?:through|over|to)\\b|\\b(?:transfer|connect) (?:me|us|my call)\\b|^${A}${PEOPLE}(?:,? please)?[.!]*$`,
    ),
    unless: new RegExp(
      `\\b${NOT} (?:want to |need to |wish to |have to )?(?:talk|speak|transfer|connect|put|want|need|patch|get)\\b`,
    ),
  },
  {
    intent: "busy",
    said: /\b(?:bad|not a good|not the best|not a great|inconvenient) (?:time|moment)\b|\bi(?:'m| am) (?:busy|driving|in a meeting|at work)\b|\bcall (?:me |us )?(?:back )?(?:later|another time|tomorrow|next week)\b|\b(?:call|ring) me back\b|\bcan'?t talk (?:right )?now\b|\bnot (?:right )?now\b|\bcall (?:me |us )?(?:back )?before\b/,
    words: 20,
  },
  { intent: "no_thanks", said: /^(?:no+|nope|nah)[,. ]*(?:thanks|thank you)\b/, words: 12 },
  {
    intent: "not_interested",
    said: /\bnot (?:really |at all )?interested\b|\bno interest\b|\b(?:don't|do not) (?:want|need) (?:it|this|that|any|anything)\b|\bnot for me\b|\bi(?:'ll| will) pass\b/,
    words: 25,
  },
  {
    intent: "bye",
    said: /\b(?:good ?bye|bye|bye-bye|see you|farewell|cheerio)\b|\bhave a (?:good|nice|great|lovely) (?:day|one|evening|night|weekend|afternoon)\b|\bthat(?:'s| is| will be|'ll be| would be)(?: really)? (?:all|it|everything)\b|\bnothing (?:else|more)\b|\b(?:hang up|end the call)\b|\bi(?:'m| am) (?:done|finished)\b|\b(?:have to|got to|gotta) go\b/,
    unless: /\?/,
    words: 15,
  },
  {
    intent: "interested",
    said: /\byes,? please\b|\bsounds (?:very )?(?:good|great|interesting|perfect|lovely|fine)\b|\b(?:sign|put) me (?:up|down)\b|\bi(?:'m| am) (?:very |really |definitely )?interested$|\bi(?:'m| am) (?:very |really )?interested[.!]|\bi(?:'d| would) (?:love|like) (?:to|that)$|\bcount me in\b|\blet(?:'s| us) do (?:it|that)\b|\bi(?:'m| am) in\b[.!]?$/,
    unless: /\?|\bnot\b/,
    words: 10,
  },
  {
    intent: "who",
    said: /\bwho(?:'s| is| are)? (?:this|that|you|calling|speaking|there|it)\b|\bwho am i (?:speaking|talking)\b|\bwhat(?:'s| is) your name\b|\bwhat (?:company|business) (?:is this|are you)\b|\bwhere are you calling from\b|\bwhat(?:'s| is) (?:this|it) (?:call )?(?:all )?about\b|\bwhy are you calling\b|\bwhat do you want\b/,
    words: 15,
  },
  {
    intent: "capabilities",
    said: /\bwhat (?:can|do|could) you (?:do|help|know|offer)\b|\bhow can you help\b|\bwhat (?:can|could|may|should) i ask\b|^help(?: me)?(?: please)?[.!]?$|\bwhat are my options\b/,
    words: 12,
  },
  {
    intent: "never_mind",
    said: /\bnever ?mind\b|\bforget (?:it|about it)\b|^(?:cancel|stop)(?: that| it)?[.!]?$/,
    words: 6,
  },
  {
    intent: "repeat",
    said: /\b(?:repeat|say) (?:that|it)(?: again)?\b|\bsay again\b|\bcome again\b|\b(?:pardon|excuse me)\b|\bwhat did you (?:just )?say\b|^(?:sorry|what|huh)\??$|\b(?:did not|didn't) (?:hear|catch|understand) (?:that|you)\b/,
    words: 8,
  },
  {
    intent: "more",
    said: /\b(?:tell me|say|hear|know) more\b|\bmore (?:details?|information|info)\b|\bgo on\b/,
    words: 8,
  },
  { intent: "again", said: /\btry (?:it |that |once )?(?:again|once more)\b/, words: 8 },
  { intent: "thanks", said: /\b(?:thanks|thank you|thank u|cheers|much appreciated)\b/, unless: /\?/, words: 8 },
  {
    intent: "yes",
    said: /^(?:yes|yeah|yep|yup|sure|of course|certainly|absolutely|definitely|correct|right|ok|okay|go ahead|fine|alright|all right|please do|i am|i do|it is|i have|gladly)\b/,
    unless: /[?\d]/,
    words: 5,
  },
  { intent: "no", said: /^(?:no|nope|nah|not really|negative|not yet|i don't|i'm not)\b/, unless: /[?\d]/, words: 5 },
  { intent: "hello", said: /^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings)\b/, words: 4 },
];

/** What the caller wants of the conversation itself; null for whoever has a matter. */
export function intentOf(text: string): Intent | null {
  const said = plain(text);
  const words = wordsOf(said).length;
  const found = SIGNS.find(
    (sign) => words <= (sign.words ?? words) && sign.said.test(said) && !(sign.unless?.test(said) ?? false),
  );
  return found?.intent ?? null;
}

/** Whether a greeting asks for the caller's time, so that a yes to it is no more than that. */
export function asksForTime(greeting: string): boolean {
  const last = plain(greeting).match(/[^.!?]{0,300}\?\s*$/)?.[0] ?? "";
  return /\b(?:time|moment|minutes?|seconds?|talk|speak|question|questions|bother|convenient)\b/.test(last);
}

/** Whether something is asked, rather than wanted. */
export const isQuestion = (text: string): boolean =>
  /\?\s*$|^(?:how|what|when|where|why|which|who|is|are|do|does|can i|could i|may i)\b/.test(plain(text));
