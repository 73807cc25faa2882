/** The exit codes, documented in docs/guides/cli.md and in `switchboard --help`. */
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

/** Why a command failed: a sentence for people and a code for programs. */
export class Failure extends Error {
  readonly exit: ExitCode;
  /** The service's error code, or one of this program's own. */
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

/** Returns an error as a sentence, with the request's id if a request failed. */
export function sentenceOf({ message, requestId }: { message: string; requestId: string | null }): string {
  const text = message.replace(/\s+/g, " ").trim();
  return requestId === null ? text : `${text} (request ${requestId})`;
}
