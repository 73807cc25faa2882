import type { Command } from "commander";
import { openSession, type Session, type World } from "./context.ts";

/** Turns a function of (session, arguments, options) into a command's action. */
export type Act = <A extends unknown[]>(
  run: (session: Session, ...args: A) => Promise<void>,
) => (...args: [...A, Command]) => Promise<void>;

/** Returns the action of a command. Commander passes the options and the command after the arguments. */
export function actIn(world: World): Act {
  return <A extends unknown[]>(run: (session: Session, ...args: A) => Promise<void>) =>
    async (...all: [...A, Command]) => {
      const command = all[all.length - 1] as Command;
      await run(await openSession(command, world), ...(all.slice(0, -1) as A));
    };
}

/** Formats the examples at the end of a command's help. */
export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
