/** Thrown if the file as a whole cannot be used; the message tells its owner why. */
export class InvalidCsv extends Error {}

/** Thrown if the file is not UTF-8 text. */
export class NotUtf8 extends InvalidCsv {}

/** A fault of a field that was sent with the file. */
export interface Problem {
  field: string;
  /** A stable slug for programs. */
  code: string;
  /** For people. */
  message: string;
}

/** The maximum number of problems that are collected; more would not help, and each takes memory. */
export const MAX_PROBLEMS = 200;
/** The number of problems in the error's message. */
const MAX_IN_MESSAGE = 20;

/** Thrown if the corrections that were sent with the file do not fit it. */
export class InvalidCorrections extends InvalidCsv {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    const shown = problems.slice(0, MAX_IN_MESSAGE);
    super(shown.map(({ field, message }) => `${field}: ${message}`).join("; "));
    this.problems = problems;
  }
}
