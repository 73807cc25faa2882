import { laml } from "./laml.ts";
import { plivoSubject } from "./plivo.ts";
import type { Subject } from "./subject.ts";
import { telnyxSubject } from "./telnyx.ts";
import { vonageSubject } from "./vonage.ts";

/** Every carrier that the conformance suite tests. */
export const subjects: Subject[] = [laml("twilio"), telnyxSubject, laml("signalwire"), vonageSubject, plivoSubject];
