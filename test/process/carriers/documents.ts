/**
 * The documents that the carriers' own libraries write, kept here so that tests of the adapters need none of the
 * libraries. The tests in test/oracles compare each document with the library itself.
 */
import { MESSAGE, order, TARGET } from "./subject.ts";

type Attributes = Record<string, string | number | boolean>;

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function element(name: string, attributes: Attributes = {}, ...content: string[]): string {
  const list = Object.entries(attributes).map(([field, value]) => ` ${field}="${escaped(String(value))}"`);
  const open = `<${name}${list.join("")}`;
  return content.length === 0 ? `${open}/>` : `${open}>${content.join("")}</${name}>`;
}
const response = (...content: string[]) => XML + element("Response", {}, ...content);

/** Instructions in Twilio's language, which SignalWire uses too. */
export const twiml = {
  /** Connects the call to TARGET. */
  dial: () => response(element("Dial", { callerId: order.from_number }, TARGET)),
  /** Speaks a message and hangs up. */
  message: (text = MESSAGE) => response(element("Say", {}, escaped(text)), element("Hangup")),
  /** Announces the recording and connects the call to a media stream. */
  announcedStream: (announcement: string, stream: Attributes, parameters: Record<string, string>) =>
    response(
      element("Say", {}, escaped(announcement)),
      element("Connect", {}, element("Stream", stream, ...parameterElements(parameters))),
    ),
  /** Records the call and announces it. */
  recorded: (recording: Attributes, announcement: string) =>
    response(element("Start", {}, element("Recording", recording)), element("Say", {}, escaped(announcement))),
  /** Connects the call to a conversation relay. */
  relay: (relay: Attributes, parameters: Record<string, string>, action: string) =>
    response(element("Connect", { action }, element("ConversationRelay", relay, ...parameterElements(parameters)))),
};

function parameterElements(parameters: Record<string, string>): string[] {
  return Object.entries(parameters).map(([name, value]) => element("Parameter", { name, value }));
}

/** Instructions in Plivo's language. */
export const plivoXml = {
  /** Connects the call to TARGET. */
  dial: () =>
    response(element("Dial", { callerId: order.from_number.slice(1) }, element("Number", {}, TARGET.slice(1)))),
  /** Speaks MESSAGE once the machine is silent, and hangs up. */
  message: () =>
    response(
      element("Wait", { length: 30, silence: true, minSilence: 2_000 }),
      element("Speak", {}, escaped(MESSAGE)),
      element("Hangup"),
    ),
  /** Records the call and announces it. */
  recorded: (recording: Attributes, announcement: string) =>
    response(element("Record", recording), element("Speak", {}, escaped(announcement))),
};

export type SentJson = [method: string, path: string, body: unknown];

/** Returns the request that makes Plivo fetch a call's instructions again. */
export function plivoTransfer(alegUrl: string): SentJson {
  return ["POST", "/v1/Account/MA123/Call/p-1/", { legs: "aleg", aleg_url: alegUrl, aleg_method: "POST" }];
}
