#!/usr/bin/env node
/** `switchboard`: the account from the command line. */
import { CommanderError } from "commander";
import { theWorld } from "./kernel/context.ts";
import { EXIT, Failure, sentenceOf } from "./kernel/failure.ts";
import { programOf } from "./program.ts";

// Whoever reads the output may stop reading it, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : EXIT.failed));

const program = programOf(theWorld);
const strict = (command: typeof program): void => {
  command.exitOverride().configureHelp({ sortSubcommands: false, showGlobalOptions: false });
  command.commands.forEach(strict);
};
strict(program);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error);
}
// What was asked of a lost stream or a slow receiver must not keep the command from ending.
process.stdout.write("", () => process.exit());

/** Says what went wrong, in a sentence, and gives the exit code. */
function tell(error: unknown): number {
  if (error instanceof CommanderError) {
    const helped = error.exitCode === 0 || error.code === "commander.help";
    return helped && error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  const failure =
    error instanceof Failure
      ? error
      : new Failure(EXIT.failed, "failed", error instanceof Error ? error.message : String(error));
  const { code, requestId, exit } = failure;
  if (program.opts<{ json?: boolean }>().json || process.argv.includes("--json")) {
    const said = { error: { code, message: failure.message, request_id: requestId } };
    process.stderr.write(`${JSON.stringify(said)}\n`);
  } else if (failure.message !== "") process.stderr.write(`switchboard: ${sentenceOf(failure)}\n`);
  return exit;
}
