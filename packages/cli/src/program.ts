/** The commands, as one tree. */
import { Command } from "commander";
import { addAgents } from "./agents/commands.ts";
import { addCampaigns } from "./campaigns/commands.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDocs } from "./commands/docs.ts";
import { addSignIn } from "./commands/sign-in.ts";
import { addWatching } from "./commands/watching.ts";
import { addEvents } from "./events/commands.ts";
import { actIn } from "./kernel/act.ts";
import type { World } from "./kernel/context.ts";
import { addKnowledge } from "./knowledge/commands.ts";
import { addModels } from "./models/commands.ts";

const EXAMPLES = `
Examples:
  $ switchboard login --url https://switchboard.example.com
  $ switchboard agents pull && switchboard agents diff
  $ switchboard agents publish Reception --note "Offers appointments on Saturdays"
  $ switchboard campaigns run guests.csv --agent Reception --from +12025550145 --watch
  $ switchboard listen --forward http://localhost:3000/hook
`;

const EXIT_CODES = `
Exit codes:
  0 done            3 not signed in, or not permitted
  1 failed          4 conflict: somebody else has changed it, or its state does not allow it
  2 wrong usage     5 the service cannot be reached or is overloaded: try again
  130 interrupted

Environment:
  SWITCHBOARD_URL, SWITCHBOARD_API_KEY   the service and the key; they override those stored by login
  NO_COLOR                               disables colors

switchboard --version prints the version of this program.
`;

export const VERSION = "0.3.0";

export function programOf(world: World): Command {
  const program = new Command("switchboard")
    .description("Manage the agents, campaigns, calls and events of a Switchboard account.")
    .option("--url <url>", "the service's address")
    .option("--api-key <key>", "the API key; other users of this machine may see it, so prefer login")
    .option("--json", "print results as JSON: one document, or one line for each event")
    .showSuggestionAfterError()
    .addHelpText("after", EXAMPLES + EXIT_CODES);
  const act = actIn(world);
  addSignIn(program, act);
  addAgents(program, act);
  addKnowledge(program, act);
  addModels(program, act);
  addCampaigns(program, act);
  addWatching(program, act);
  addEvents(program, act);
  addDocs(program, act);
  addCompletion(program);
  return program;
}
