/** The command's exit codes; documented in docs/guides/cli.md and in `switchboard --help`. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  signIn: 3,
  conflict: 4,
  unavailable: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Why a command ends without having done its work: one sentence for people, a word for programs. */
export class Failure extends Error {
  readonly exit: ExitCode;
  /** The service's code of the error, or this program's own. */
  readonly code: string;
  readonly requestId: string | null;

  constructor(exit: ExitCode, code: string, message: string, requestId: string | null = null) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.requestId = requestId;
  }
}

export const usage = (message: string) => new Failure(EXIT.usage, "usage", message);

/** An error as the user reads it: a sentence, with the request's id where a request failed. */
export function sentenceOf({ message, requestId }: { message: string; requestId: string | null }): string {
  const text = message.replace(/\s+/g, " ").trim();
  return requestId === null ? text : `${text} (request ${requestId})`;
}
