#!/usr/bin/env node
/** `switchboard`: manages the account from the command line. */
import { CommanderError } from "commander";
import { theWorld } from "./kernel/context.ts";
import { EXIT, Failure, sentenceOf, usage } from "./kernel/failure.ts";
import { programOf, VERSION } from "./program.ts";

// The reader of the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : EXIT.failed));

/** Determined before the options are parsed, so that errors about them have the same format. */
const asJson = process.argv.includes("--json");
const program = programOf(theWorld);
const strict = (command: typeof program): void => {
  command.exitOverride().configureHelp({ showGlobalOptions: true });
  command.configureOutput({ writeErr: (text) => void (asJson || process.stderr.write(text)) });
  command.commands.forEach(strict);
};
strict(program);
try {
  // Not an option of the program, because a command may have an option of the same name.
  if (["-v", "--version"].includes(process.argv[2] ?? "")) process.stdout.write(`${VERSION}\n`);
  else await program.parseAsync(askedOf(process.argv.slice(2)), { from: "user" });
} catch (error) {
  process.exitCode = reportFailure(error);
}
// Pending requests of a lost stream or a slow receiver must not keep the command running.
process.stdout.write("", () => process.exit());

/**
 * Returns the arguments for a command's help. `help agents test` must print the same as `agents test --help`, but
 * commander's own help uses only the first name.
 */
function askedOf(args: string[]): string[] {
  const [first, ...path] = args;
  return first === "help" && path.length > 1 ? [...path, "--help"] : args;
}

/** Prints the error as a sentence and returns the exit code. */
function reportFailure(error: unknown): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) {
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  const failure = failureOf(error);
  const { code, requestId, exit } = failure;
  if (asJson) {
    const body = { error: { code, message: failure.message, request_id: requestId } };
    process.stderr.write(`${JSON.stringify(body)}\n`);
  } else if (failure.message !== "" && !(error instanceof CommanderError))
    process.stderr.write(`switchboard: ${sentenceOf(failure)}\n`);
  return exit;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof CommanderError) return usage(error.message.replace(/^error: /, ""));
  return new Failure(EXIT.failed, "failed", error instanceof Error ? error.message : String(error));
}
