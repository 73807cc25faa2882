/** Signing in, and again when a session has ended. */
export const signIn = {
  title: "Sign in to Switchboard",
  account: "Account",
  email: "Email",
  password: "Password",
  verb: "Sign in",
  refused: "Account, email and password do not belong together.",
  endedTitle: "Your session has ended",
  ended: "Sign in again to go on where you are. Nothing on this page is lost.",
  other: "Sign in as somebody else",
};
