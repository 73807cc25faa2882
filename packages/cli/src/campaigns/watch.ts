import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { isObject, type Json } from "../kernel/json.ts";
import { advance, atRest, bar, STARTING, summary } from "./progress.ts";

/** Without a terminal, a line is printed at every tenth of the contacts. */
const STEPS = 10;

/**
 * Shows the campaign's events until it is completed, stopped or paused. An interrupt ends the command, not the
 * campaign.
 * @throws Failure if the campaign is not completed
 */
export async function watch(session: Session, id: string): Promise<void> {
  const { terminal, world } = session;
  world.onInterrupt(() => {
    terminal.note(
      `\nThe campaign continues. Watch it again: switchboard campaigns watch ${id}\n` +
        `Pause it: switchboard campaigns pause ${id}`,
    );
    process.exit(EXIT.interrupted);
  });
  let progress = STARTING;
  let step = -1;
  const path = `/api/v1/campaigns/${encodeURIComponent(id)}/events`;
  const options = { onLost: () => terminal.note("The connection was lost; the campaign continues. Reconnecting …") };
  for await (const { name: event, data } of session.client().events(path, {}, options)) {
    const value = JSON.parse(data) as Json;
    if (!isObject(value)) continue;
    progress = advance(progress, event, value);
    terminal.line({ event, data: value });
    const shown = bar(progress, terminal.interactive ? terminal.columns : 0);
    terminal.progress(shown);
    const now = Math.floor((Number.parseInt(shown, 10) / 100) * STEPS);
    if (!terminal.interactive && !terminal.json && now > step) terminal.note(shown);
    step = Math.max(step, now);
    if (atRest(progress)) break;
  }
  terminal.print(summary(progress));
  if (progress.status !== "completed") throw new Failure(EXIT.failed, progress.status, "");
}
