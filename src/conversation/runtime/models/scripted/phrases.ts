/** The scripted agent's words: what callers say, what it says, and which words say nothing. Text only, no logic. */

/** What tells an intent, in small letters without apostrophes. */
export interface Sign {
  intent: string;
  /** Anywhere in a turn, at its beginning, or all of it. */
  says?: string[];
  starts?: string[];
  is?: string[];
  /** What takes it back. */
  unless?: string[];
  /** Most words of a turn that is about this and nothing else. */
  maxWords?: number;
  /** Whether a question can mean it; true if left out. */
  inQuestions?: boolean;
}

const words = (text: string): string[] => text.split("|");

/** In the order in which they are tried: the first that fits is it. */
export const SIGNS: Sign[] = [
  {
    intent: "opt_out",
    says: words(
      "stop calling|stop phoning|stop contacting|stop texting|stop bothering|do not call me|dont call me|do not ever call|dont ever call|never call me|do not call again|dont call again|do not contact me|dont contact me|off your list|off the list|remove my number|remove me|delete my number|opt out|unsubscribe|no more calls|lose my number|do not call list",
    ),
    unless: words("call me before|call me until|call me back before"),
  },
  { intent: "wrong_number", says: words("wrong number|wrong person"), maxWords: 20 },
  {
    intent: "robot",
    says: words(
      "are you a real|are you real|are you human|are you a human|are you a robot|are you a bot|are you a machine|are you an ai|is this a robot|is this a bot|is this a recording|am i talking to a|am i speaking to a|am i speaking with a",
    ),
  },
  {
    intent: "person",
    says: words(
      "to a person|to a human|to a real person|with a person|with a human|a person please|a human please|to an agent|to an operator|to someone|to somebody|to your manager|your manager|human being|real person|representative|receptionist|put me through|transfer me|connect me",
    ),
    is: words(
      "agent|operator|human|person|a person|a human|an agent|agent please|operator please|human please|person please",
    ),
    unless: words("dont want to|do not want to|dont transfer|do not transfer|dont connect|do not connect"),
  },
  {
    intent: "busy",
    says: words(
      "bad time|not a good time|not a good moment|no time now|im busy|i am busy|im driving|i am driving|in a meeting|call me back|call me later|call back later|call later|call me tomorrow|call me another time|cant talk|not now|call me before",
    ),
    maxWords: 20,
  },
  { intent: "no_thanks", starts: words("no thanks|no thank you|nope thanks"), maxWords: 12 },
  {
    intent: "not_interested",
    says: words("not interested|not really interested|no interest|dont want it|do not want it|not for me|ill pass"),
    maxWords: 25,
  },
  {
    intent: "bye",
    says: words(
      "bye|goodbye|good bye|see you|have a good day|have a nice day|thats all|that is all|that will be all|nothing else|nothing more|hang up|end the call|im done|i am done|have to go|got to go",
    ),
    maxWords: 15,
    inQuestions: false,
  },
  {
    intent: "interested",
    says: words(
      "yes please|sounds good|sounds great|sounds interesting|sounds perfect|sign me up|im interested|i am interested|im very interested|i am very interested|id love to|count me in",
    ),
    maxWords: 10,
    inQuestions: false,
  },
  {
    intent: "who",
    says: words(
      "who is this|whos this|who are you|who is calling|whos calling|who am i speaking|who am i talking|what is your name|whats your name|what is this about|whats this about|why are you calling|where are you calling from",
    ),
    maxWords: 15,
  },
  {
    intent: "capabilities",
    says: words("what can you do|how can you help|what can i ask|what do you know"),
    is: words("help|help me|help please"),
    maxWords: 12,
  },
  { intent: "never_mind", says: words("never mind|nevermind|forget it"), is: words("cancel|stop"), maxWords: 6 },
  { intent: "again", says: words("try again|try it again|try that again|try once more"), maxWords: 8 },
  { intent: "thanks", says: words("thanks|thank you|cheers"), maxWords: 8, inQuestions: false },
  {
    intent: "yes",
    starts: words(
      "yes|yeah|yep|sure|of course|certainly|absolutely|definitely|correct|right|ok|okay|go ahead|fine|alright|all right|please do|i am|i do|it is",
    ),
    maxWords: 5,
    inQuestions: false,
  },
  { intent: "no", starts: words("no|nope|nah|not really|not yet|i dont|im not"), maxWords: 5, inQuestions: false },
  { intent: "hello", starts: words("hello|hi|hey|good morning|good afternoon|good evening"), maxWords: 4 },
];

/** Words after which something is asked rather than wanted, and words of a greeting that asks for somebody's time. */
export const QUESTION_WORDS = words("how|what|when|where|why|which|who|is|are|do|does|can i|could i|may i");
export const TIME_WORDS = words("time|moment|minute|minutes|seconds|talk|speak|question|questions|bother|convenient");
/** Answers of who has no answer. */
export const NOT_KNOWN = words("dont have|dont know|dont remember|do not have|do not know|no idea|not sure");

/** What the agent says; names in braces are filled in. */
export const SAYS = {
  hello: "Hello. What can I do for you?",
  who: "This is {agent}. What can I do for you?",
  robot: "I am a digital assistant, not a human. I can put you through to a person if you ask me to.",
  from: "From our {kind} “{title}”: {content}",
  nothingWritten: "there is nothing written down yet.",
  goOn: "What would you like to know?",
  anythingElse: "Is there anything else I can help you with?",
  offer: "You can ask me, for example: {titles}.",
  offerNothing: "I can take your request.",
  whatElse: "What would you like?",
  hearMore: "Would you like to hear more?",
  thanks: "You are welcome.",
  sure: "Sure. What is it?",
  interested: "Wonderful, I have noted that you are interested.",
  notUnderstood: "I am sorry. I did not quite understand that. Could you say it in other words?",
  notKnown: "I am sorry, that is something I do not know. {offer} Or {question}",
  noHelp: "I am afraid I cannot help with that. {callback}",
  person: "shall I put you through to a person?",
  callback: "Shall somebody {getBack}?",
  later: "I understand. Shall somebody {getBack} another time?",
  willCall: "Somebody will {getBack}.",
  busy: "I understand. Somebody will {getBack} another time. Goodbye.",
  noTransfer: "I cannot put you through from here. Somebody will {getBack}.",
  transferred: "I am putting you through now.",
  notReached: "I am sorry, I could not reach anybody. Somebody will {getBack}.",
  oneMoment: "One moment, please.",
  left: "All right.",
  ofCourse: "Of course.",
  optedOut: "Your number is off our list, and we will not call you again. Goodbye.",
  optOutNoted: "I understand, and I have noted that you do not want to be called. Goodbye.",
  optOutFailed:
    "I am sorry, I could not take your number off the list myself. I have noted that you do not want to be called, and a colleague will take care of it. Goodbye.",
  optOutImpossible:
    "I understand that you do not want to be called, but I cannot take your number off the list from here. Goodbye.",
  wrongNumber: "I am sorry to have bothered you. Goodbye.",
  notInterested: "That is fine. Thank you for your time. Goodbye.",
  goodbye: "Thank you. Goodbye, and have a good day.",
  over: "Goodbye.",
  needs: "To {tool} I need {labels}.",
  what: "What is it?",
  ask: "What is the {label}?",
  askMany: "What are the {label}?",
  askChoice: "What is the {label}: {choices}?",
  askYesNo: "The {label}: yes or no?",
  first: "First: {question}",
  thankYou: "Thank you. {question}",
  backTo: "Back to your request. {question}",
  missed: "I did not catch that. I need the {label}{hint}{example}. What is it?",
  without: "I am sorry, without the {label} I cannot {tool}.",
  failed: "I am sorry, that did not work: I could not {tool}.{reason} You can ask me to try it again. {callback}",
  reason: " The reason given is: {reason}.",
  results: "Here is what I have. {results}",
  done: "That is done.",
  foundNothing: "I found nothing.",
};

/** Examples of a kind of argument, for who was not understood. */
export const EXAMPLES: Record<string, string> = {
  phone: ", with the country code, like +15550100123",
  date: ", like 2026-12-01",
  moment: ", with day and time, like 2026-12-01 14:30",
  email: ", like name@example.com",
  number: ", as a number",
  boolean: ": yes or no",
};
/** What an argument is asked for by if its name is only a preposition. */
export const LABELS: Record<string, string> = { phone: "phone number", email: "email address", moment: "time" };

/** Words that only hold a sentence together. */
export const FUNCTION_WORDS = new Set(
  "a an the this that these those there here i me my mine you your yours we us our he his she her it its they them their one some any all no not nor yes yeah ok okay please and or but if so than then as at by for from in into of off on out over to up down with without about after before until am is are was were be been do does did have has had will would shall should can could may might must cannot im ive id ill youre dont doesnt didnt isnt cant wont whats wheres hows what which who when where why how just also very too only even more most much many well oh um hi hello hey t s re ve ll d m thank thanks".split(
    " ",
  ),
);
/** Words of questions of every kind: they count little, and decide nothing alone. */
export const COMMON_WORDS = new Set(
  "get got give go going come take make let want need like know tell say said ask think see look find work works happen use used try call calls calling phone question questions answer help thing things something anything way time times day days today now new good long business people person really still back first last next kind sort line speak talk hear explain".split(
    " ",
  ),
);
/** Words that callers use for what an account calls by another name. */
export const SAME = new Map([
  ["meet", "appoint"],
  ["reserv", "book"],
  ["parcel", "deliver"],
  ["packag", "deliver"],
  ["ship", "deliver"],
  ["mail", "email"],
  ["text", "sms"],
  ["locat", "address"],
  ["complaint", "complain"],
]);
/** Endings that are taken off, the longest first. */
export const ENDINGS = "ations ation ments ment ings ing ions ion ies ed ly es s y e".split(" ");
