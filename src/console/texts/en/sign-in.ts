import { counted } from "../format.ts";

/** Signing in, and again when a session has ended. */
export const signIn = {
  title: "Sign in to Switchboard",
  account: "Account",
  email: "Email",
  password: "Password",
  verb: "Sign in",
  or: "or",
  provider: "Sign in with your identity provider",
  waiting: "Go on in the window that has opened. This page follows by itself.",
  windowBlocked: "The browser did not open the window. Allow this site to open windows, and try again.",
  noSuchAccount: "There is no account of that name",
  refused: "Account, email and password do not belong together.",
  refusedAgain: "That is not your password.",
  closed: "This account is disabled. Those who run this service can say why.",
  notYours: "This account is not one of yours, says your identity provider.",
  wait: (seconds: number) => `Too many attempts have failed. Try again in ${counted(seconds, "second", "seconds")}.`,
  noWay: "This service is not set up for anybody to sign in.",
  chooseTitle: "Choose an account",
  choose: (name: string) => `Signed in as ${name}. You may work in several accounts, and switch between them later.`,
  endedTitle: "Your session has ended",
  ended: "Sign in again to go on where you are. Nothing on this page is lost.",
  againTitle: "Sign in again",
  again: "Your session is renewed, and this page stays as it is.",
  otherUser: (email: string) =>
    `That was somebody else. This page is of ${email}: sign in as them, or as somebody else.`,
  endsSoon: (minutes: number) =>
    minutes === 0
      ? "Your session ends in less than a minute."
      : `Your session ends in ${counted(minutes, "minute", "minutes")}.`,
  later: "Not now",
  other: "Sign in as somebody else",
};
