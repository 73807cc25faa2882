/** Suggestions for the next sign-in in this browser: never a password, never a token. */
interface LastSignIn {
  account: string;
  email: string;
}

const STORED = "switchboard-last-sign-in";

/** The last user who signed in in this browser; empty for nobody. */
export function lastSignIn(): LastSignIn {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    return Object.assign({ account: "", email: "" }, stored);
  } catch {
    return { account: "", email: "" };
  }
}

/** Keeps who signed in where. */
export function rememberSignIn({ account, email }: LastSignIn): void {
  localStorage.setItem(STORED, JSON.stringify({ account, email }));
}
