/** The scripted agent's English words: callers' wishes, its replies, and words without meaning. Data only. */
import { builtInSentences } from "../../../../agent/speech/sentences.ts";

const SENTENCES = builtInSentences("en");

/**
 * The wishes of callers in any conversation. Patterns match a turn in lower case without accents, apostrophes and
 * marks. The first match decides.
 */
export const INTENTS = {
  /** Matched in turns of any length. */
  demands: {
    opt_out:
      /^(?!.*\bcall me (back )?(before|until)\b).*\b((stop|no more) (calling|phoning|contacting|texting|bothering|calls)|((do not|dont) (ever )?|never )(call|contact) (me|again)|off (your|the) list|(remove|delete|lose) my number|remove me|opt out|unsubscribe|do not call list)\b/,
    voicemail:
      /\b((after|at) the (tone|beep)|please leave (a|us a|your) message|leave your (name|message)|reached the (voicemail|voice mail|mailbox)|(cannot|cant) (take your call|come to the phone)|not available to take your call)\b/,
    who: /\b((who is|whos) (this|calling)|who (are you|am i (speaking|talking))|(what is|whats) (your name|this about)|(why|where) are you calling|are you (a |an )?(real|human|robot|bot|machine|ai)|is this a (robot|bot|recording)|am i (talking|speaking) (to|with) a)\b/,
    person:
      /^(?!.*\b(dont|do not) (want to|transfer|connect)\b).*(?:\b((to|with) an? (real )?(person|human|agent|operator)|to (someone|somebody)|your manager|human being|real person|representative|receptionist|put me through|(transfer|connect) me)\b|^(an? )?(agent|operator|human|person)( please)?$)/,
  },
  /** Matched in turns about nothing else. */
  wishes: {
    wrong_number: /\bwrong (number|person)\b/,
    busy: /\b(bad time|not a good (time|moment)|no time now|(im|i am) (busy|driving)|in a meeting|call me (back|later|tomorrow|another time|before)|call (back )?later|cant talk|not now)\b/,
    no_thanks: /^(no thanks|no thank you|nope thanks)\b/,
    not_interested: /\b(not (really )?interested|no interest|(dont|do not) want it|not for me|ill pass)\b/,
    bye: /\b(bye|goodbye|good bye|see you|have a (good|nice) day|(thats|that is|that will be) all|nothing (else|more)|hang up|end the call|(im|i am) done|(have|got) to go)\b/,
    interested:
      /\b(sounds (good|great|interesting|perfect)|sign me up|(im|i am) (very )?interested|id love to|count me in)\b/,
    capabilities: /\b(what can (you do|i ask)|how can you help|what do you know)\b|^help( me)?( please)?$/,
  },
  /** Matched in very short turns that are no questions. */
  courtesies: {
    thanks: /\b(thanks|thank you|cheers)\b/,
    yes: /^(yes|yeah|yep|sure|of course|certainly|absolutely|definitely|correct|right|ok|okay|go ahead|fine|alright|all right|please do|i am|i do|it is)\b/,
    no: /^(no|nope|nah|not really|not yet|i dont|im not)\b/,
    never_mind: /\b(never mind|forget it)\b|^(cancel|stop)$/,
    hello: /^(hello|hi|hey|good (morning|afternoon|evening))\b/,
  },
};
export type Intent = { [Group in keyof typeof INTENTS]: keyof (typeof INTENTS)[Group] }[keyof typeof INTENTS];

/** The dispositions of intents, and those that end a conversation. */
export const DISPOSITIONS: Partial<Record<Intent, string>> = {
  voicemail: "voicemail",
  wrong_number: "wrong_number",
  busy: "callback_requested",
  not_interested: "not_interested",
  interested: "interested",
  bye: "resolved",
  thanks: "resolved",
};
export const ENDINGS = new Set<Intent>(["voicemail", "wrong_number", "busy", "not_interested", "bye"]);

/** The agent's replies; names in braces are filled in. */
export const REPLIES: Partial<Record<Intent, string>> = {
  voicemail: "This is {agent}. I am sorry that I missed you. We will try again another time. Goodbye.",
  wrong_number: "I am sorry to have bothered you. Goodbye.",
  busy: "I understand. Somebody will {getBack} another time. Goodbye.",
  not_interested: "That is fine. Thank you for your time. Goodbye.",
  bye: "Thank you. Goodbye, and have a good day.",
  interested: "Wonderful, I have noted that you are interested. Is there anything else I can help you with?",
  who: "This is {agent}. What can I do for you?",
  capabilities: "{offer} What would you like?",
  thanks: "You are welcome. Is there anything else I can help you with?",
  yes: "{offer} What would you like?",
  never_mind: "All right. {offer} What would you like?",
  hello: "Hello. What can I do for you?",
};

export const QUESTION = /^(how|what|when|where|why|which|who|is|are|do|does|(can|could|may) i)\b/;
/** The topic after the name of a tool with a single argument: "the weather in Paris". */
export const TOPIC = /^.*\b(?:for|about|in|at|of|on|named) ([\p{L}\p{N}][^.?!;"\n]{0,200})/isu;

export const PHRASES = {
  from: "From our {kind} “{title}”: {content}",
  offer: "You can ask me, for example: {titles}.",
  offerNothing: "I can take your request.",
  notUnderstood: "I am sorry. I did not quite understand that. Could you say it in other words?",
  noAnswer: "I am sorry, that is something I do not know. {offer} {question}",
  person: "Shall I put you through to a person?",
  callback: "Shall somebody {getBack}?",
  willCall: "{lead}Somebody will {getBack}. Is there anything else I can help you with?",
  noTransfer: "I cannot put you through from here. ",
  notReached: "I am sorry, I could not reach anybody. ",
  oneMoment: SENTENCES.filler,
  optedOut: "Your number is off our list, and we will not call you again. Goodbye.",
  notOptedOut:
    "I understand that you do not want to be called, but I could not take your number off the list. Goodbye.",
  needs: "To {tool} I need {labels}. What is the {label}?",
  failed: "I am sorry, that did not work: I could not {tool}.{reason} {question}",
  unknown: "I am sorry, I cannot tell whether that worked: I tried to {tool}, and no answer came. {question}",
  results: "{results}. Is there anything else I can help you with?",
  done: "That is done",
  foundNothing: "I found nothing",
};

const listOf = (text: string) => new Set(text.split(" "));
/** Words that only connect a sentence. */
export const FUNCTION_WORDS = listOf(
  "a an the this that these those there here i me my mine you your yours we us our he his she her it its they them their one some any all no not nor yes yeah ok okay please and or but if so than then as at by for from in into of off on out over to up down with without about after before until am is are was were be been do does did have has had will would shall should can could may might must cannot im ive id ill youre dont doesnt didnt isnt cant wont whats wheres hows what which who when where why how just also very too only even more most much many well oh um hi hello hey t s re ve ll d m thank thanks",
);
/** Words in questions of every kind: they count little, and decide nothing alone. */
export const COMMON_WORDS = listOf(
  "get got give go going come take make let want need like know tell say said ask think see look find work works happen use used try call calls calling phone question questions answer help thing things something anything way time times day days today now new good long business people person really still back first last next kind sort line speak talk hear explain",
);
