/** The voice of the widget, by what the browser itself offers; the widget loads it where its page asks for it. */
import type { StartVoice } from "./contract.ts";
import { Talk } from "./talk.ts";

export const startVoice: StartVoice = (host) => new Talk(host);
