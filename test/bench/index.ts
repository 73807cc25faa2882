/**
 * `npm run bench -- [api] [campaign] [conversation] [meter] [ledger] [console] [webhooks] [knowledge]` measures the
 * service on this machine; all of these by default. With `--profile`, `api`, `conversation` and `knowledge` show where
 * their time goes. `--meter-away` is the distance of the meter of `conversation` in ms, `--calls` the number of calls
 * in the ledger, `--events` the number of events that webhooks receive.
 */
import { parseArgs } from "node:util";
import { leaveNoOrphans } from "../../src/dev/orphans.ts";
import { benchApi } from "./api.ts";
import { benchCampaign } from "./campaign.ts";
import { benchConsole } from "./console.ts";
import { benchConversation } from "./conversation.ts";
import { benchKnowledge } from "./knowledge.ts";
import { benchLedger } from "./ledger.ts";
import { benchMeter } from "./meter.ts";
import { benchWebhooks } from "./webhooks.ts";

const { positionals: names, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: "boolean", default: false },
    "meter-away": { type: "string", default: "100" },
    calls: { type: "string", default: "3000000" },
    events: { type: "string", default: "10000" },
  },
});
const BENCHES = {
  api: () => benchApi(flags.profile),
  campaign: () => benchCampaign(400_000, 2_000),
  conversation: () => benchConversation(flags.profile, Number(flags["meter-away"])),
  meter: () => benchMeter(),
  ledger: () => benchLedger(Number(flags.calls)),
  console: () => benchConsole(),
  knowledge: () => benchKnowledge(flags.profile),
  webhooks: () => benchWebhooks(Number(flags.events)),
};

leaveNoOrphans();
for (const [name, bench] of Object.entries(BENCHES)) if (names.length === 0 || names.includes(name)) await bench();
process.exit(0);
