/** How commands are written: functions of a session. */
import type { Command } from "commander";
import { openSession, type Session, type World } from "./context.ts";

/** Makes a command's action of a function that is given the session, then the arguments, then the options. */
export type Act = <A extends unknown[]>(
  run: (session: Session, ...args: A) => Promise<void>,
) => (...args: [...A, Command]) => Promise<void>;

/** Commander adds the options and the command itself behind the arguments. */
export function actIn(world: World): Act {
  return <A extends unknown[]>(run: (session: Session, ...args: A) => Promise<void>) =>
    async (...all: [...A, Command]) => {
      const command = all[all.length - 1] as Command;
      await run(await openSession(command, world), ...(all.slice(0, -1) as A));
    };
}

/** The examples at the end of a command's help. */
export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
