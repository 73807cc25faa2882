/** Thrown if the file as a whole cannot be used. The message tells its owner why. */
export class InvalidCsv extends Error {}

/** Thrown if the file is not UTF-8 text. */
export class NotUtf8 extends InvalidCsv {}

/** An error in a field that was sent with the file. */
export interface Problem {
  field: string;
  /** A stable slug for programs. */
  code: string;
  /** A message for people. */
  message: string;
}

/** The maximum number of problems that are collected. More would not help, and each one takes memory. */
export const MAX_PROBLEMS = 200;
/** The number of problems that the error's message lists. */
const MAX_IN_MESSAGE = 20;

/** Thrown if the corrections that were sent with the file do not match it. */
export class InvalidCorrections extends InvalidCsv {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    const shown = problems.slice(0, MAX_IN_MESSAGE);
    super(shown.map(({ field, message }) => `${field}: ${message}`).join("; "));
    this.problems = problems;
  }
}
