import { checkAgainstService } from "./against-service.ts";
import { checkAgainstStandIn } from "./against-stand-in.ts";
import { type CarrierName, DIALECTS } from "./dialects.ts";
import type { Line, Party } from "./line.ts";
import { MediaLine } from "./media-line.ts";
import type { Report } from "./report.ts";
import { Service } from "./service.ts";
import { buzz, type Sound, wav } from "./sound.ts";
import { StandIn } from "./stand-in.ts";
import { TEXT_PROTOCOLS, TextLine, type TextProtocolName } from "./text-line.ts";

export interface Plan {
  /** The runtime's address. */
  url: string;
  /** A carrier that streams audio, or a text protocol. */
  speaks: CarrierName | TextProtocolName;
  timeoutMs: number;
  /** A WAV file that the caller plays instead of a buzz. */
  speech?: string;
  /** The caller's words, for a text protocol. */
  says?: string;
  /** The port to serve the contract on, or the Switchboard that serves it with its carrier's address. */
  contract: { port: number } | { service: string; key: string; carrierUrl: string };
}

const DEFAULT_SPEECH = "What are your opening hours?";

/** Checks a runtime and reports the results. @throws Error if the check cannot begin */
export async function checkRuntime(plan: Plan, report: Report): Promise<void> {
  const { contract, timeoutMs, speaks } = plan;
  const dialect = speaks in DIALECTS ? DIALECTS[speaks as CarrierName] : null;
  const open = opener(plan, plan.speech === undefined ? buzz() : await wav(plan.speech));
  const common = { report, open, timeoutMs, sendsStop: dialect !== null && dialect.stop !== null };
  if ("port" in contract) {
    const standIn = await StandIn.open(contract.port, speaks === "widget" ? "widget" : "call");
    try {
      await checkAgainstStandIn({ standIn, playsSound: dialect !== null, ...common });
    } finally {
      await standIn.close();
    }
    return;
  }
  const service = await Service.open(contract.service, contract.key, plan.url);
  try {
    const phone = speaks === "widget" ? null : await service.phone(contract.carrierUrl);
    const begin = () => (phone ? phone.begin() : service.guest());
    await checkAgainstService({ begin, endsByApi: speaks === "widget", ...common }).finally(() => phone?.close());
  } finally {
    await service.clear();
  }
}

function opener({ url, timeoutMs, speaks, says = DEFAULT_SPEECH }: Plan, speech: Sound) {
  return (party: Party): Line => {
    const to = { url: party.url ?? url, timeoutMs };
    if (speaks in DIALECTS) return new MediaLine(to, DIALECTS[speaks as CarrierName], party, speech);
    return new TextLine(to, TEXT_PROTOCOLS[speaks as TextProtocolName], party, says);
  };
}
