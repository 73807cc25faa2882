/** The result of a check: passed, failed, or a recommendation. */
export type Verdict = "ok" | "FAILED" | "advice";

export interface Check {
  name: string;
  verdict: Verdict;
  /** Why it failed, or what was measured; empty if there is nothing to say. */
  detail: string;
}

/** Collects the results and prints each as it arrives. */
export class Report {
  readonly checks: Check[] = [];
  readonly #show: (check: Check) => void;

  constructor(show: (check: Check) => void = () => {}) {
    this.#show = show;
  }

  get failed(): boolean {
    return this.checks.some(({ verdict }) => verdict === "FAILED");
  }

  /** Checks a requirement; reports `why` if it is not met. Returns whether it is. */
  must(name: string, isSo: boolean, why: string, measured = ""): boolean {
    this.#add({ name, verdict: isSo ? "ok" : "FAILED", detail: isSo ? measured : why });
    return isSo;
  }

  /** Checks a recommendation. */
  should(name: string, isSo: boolean, why: string, measured = ""): boolean {
    this.#add({ name, verdict: isSo ? "ok" : "advice", detail: isSo ? measured : why });
    return isSo;
  }

  /** Checks that there are no complaints. */
  clean(name: string, complaints: string[], measured = ""): void {
    const more = complaints.length > 3 ? ` (and ${complaints.length - 3} more)` : "";
    this.must(name, complaints.length === 0, complaints.slice(0, 3).join("; ") + more, measured);
  }

  #add(check: Check): void {
    this.checks.push(check);
    this.#show(check);
  }
}
