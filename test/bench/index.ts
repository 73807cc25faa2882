/**
 * `npm run bench -- [api] [campaign] [conversation] [meter] [ledger] [console] [webhooks] [knowledge]`: what the service does on this
 * machine; all by default. With `--profile`, `api`, `conversation` and `knowledge` show where their time goes. `--meter-away` says how
 * many ms the meter of `conversation` is away, `--calls` how many calls the ledger is filled with, `--events` how many events webhooks
 * are sent.
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
