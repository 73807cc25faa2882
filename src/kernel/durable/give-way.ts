/**
 * Yields from a long piece of work, so that waiting requests are served and writes become durable. Only a timer yields,
 * because promises that storage settles at once (sync, setAlarm, getAlarm) don't.
 */
export function giveWay(): Promise<void> {
  return scheduler.wait(0);
}
