export const accept = {
  title: "Join an account",
  invites: (who: string, account: string, role: string) => `${who} invites you to join ${account} as ${role}.`,
  until: (time: string) => `The invitation is valid until ${time}.`,
  email: "Email",
  name: "Your name",
  password: "Password",
  passwordHint:
    "At least 12 characters. Common passwords, repetitions, your email address and the account's name aren't allowed.",
  again: "Confirm password",
  mismatch: "The passwords don't match.",
  verb: "Accept and sign in",
  atProvider: (email: string) => `Sign in as ${email} at your identity provider to accept.`,
  ended:
    "This invitation is no longer valid. It may have been used, withdrawn, replaced by a newer link, or expired. Ask whoever invited you for a new one.",
  alreadyMember: "This address already belongs to a member of the account. Sign in instead.",
  signIn: "Go to sign-in",
};
