/** Suggestions for the next sign-in in this browser. They never include a password or token. */
interface LastSignIn {
  account: string;
  email: string;
}

const STORED = "switchboard-last-sign-in";

/** Returns the last user who signed in in this browser; empty if there is none. */
export function lastSignIn(): LastSignIn {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    return Object.assign({ account: "", email: "" }, stored);
  } catch {
    return { account: "", email: "" };
  }
}

export function rememberSignIn({ account, email }: LastSignIn): void {
  localStorage.setItem(STORED, JSON.stringify({ account, email }));
}
