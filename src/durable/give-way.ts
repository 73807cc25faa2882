/**
 * Ends the turn of a long piece of work: requests that came meanwhile are served, and what was written becomes durable.
 * It has to be a timer. A promise that storage settles at once (sync, setAlarm, getAlarm) lets nobody else in.
 */
export function giveWay(): Promise<void> {
  return scheduler.wait(0);
}
