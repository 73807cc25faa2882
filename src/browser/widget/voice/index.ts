/** The widget's voice, built on the browser's own speech APIs. The widget loads it if its page asks for it. */
import type { StartVoice } from "./contract.ts";
import { Talk } from "./talk.ts";

export const startVoice: StartVoice = (host) => new Talk(host);
