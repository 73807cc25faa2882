import { counted } from "../format.ts";

/** Texts for signing in, and for signing in again when a session has ended. */
export const signIn = {
  title: "Sign in to Switchboard",
  account: "Account",
  email: "Email",
  password: "Password",
  verb: "Sign in",
  or: "or",
  provider: "Sign in with your identity provider",
  waiting: "Continue in the window that opened. This page updates automatically.",
  windowBlocked: "Your browser blocked the sign-in window. Allow pop-ups for this site and try again.",
  accountHint: "Your company's workspace, such as acme. Your invitation names it.",
  forgot: "Forgot your password?",
  forgotMore:
    "Ask an owner or admin of your account for a password link. They create one under Members, and with it you " +
    "set a new password. If nobody in your account can sign in, ask the operator of this service.",
  noSuchAccount: "No account has this name",
  refused: "Incorrect account, email or password.",
  refusedAgain: "Incorrect password.",
  codeTitle: "Second factor",
  codeLead: "Enter the six-digit code that your authenticator app shows for Switchboard.",
  code: "Code",
  recoveryLead: "Enter one of your recovery codes. Each code works once.",
  recoveryCode: "Recovery code",
  useRecovery: "Use a recovery code",
  useApp: "Use the authenticator app",
  startOver: "Start over",
  wrongCode: "Incorrect code, or it was already used. Wait for the next one, then try again.",
  wrongRecovery: "Incorrect recovery code, or it was already used.",
  ticketInvalid: "This sign-in has expired or had too many incorrect codes. Enter your password again.",
  closed: "This account is disabled. Contact your administrator.",
  notYours: "Your identity provider doesn't give you access to this account.",
  wait: (seconds: number) => `Too many failed attempts. Try again in ${counted(seconds, "second", "seconds")}.`,
  noWay: "Sign-in isn't set up for this service.",
  chooseTitle: "Choose an account",
  choose: (name: string) =>
    `Signed in as ${name}. You have access to several accounts and can switch between them later.`,
  endedTitle: "Your session has ended",
  ended:
    "Sign in again to continue. Nothing on this page is lost. If you can't sign in, you may no longer be a member: ask an owner or admin of the account.",
  againTitle: "Sign in again",
  again: "This renews your session. The page stays as it is.",
  otherUser: (email: string) =>
    `You signed in as a different user. This page belongs to ${email}. Sign in as that user, or switch users.`,
  endsSoon: (minutes: number) =>
    minutes === 0
      ? "Your session ends in less than a minute."
      : `Your session ends in ${counted(minutes, "minute", "minutes")}.`,
  later: "Not now",
  other: "Switch user",
};
