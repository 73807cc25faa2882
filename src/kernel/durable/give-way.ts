/**
 * Ends the turn of a long piece of work: requests that came meanwhile are served, and what was written becomes durable.
 * Only a timer does that: a promise that storage settles at once (sync, setAlarm, getAlarm) keeps the turn.
 */
export function giveWay(): Promise<void> {
  return scheduler.wait(0);
}
