/** Texts for setting a new password with a link. */
export const resetPassword = {
  title: "Set a new password",
  lead: (account: string) => `For your account ${account}. You'll be signed out everywhere.`,
  next: "New password",
  nextHint: "At least 12 characters. Common passwords aren't allowed.",
  again: "Confirm new password",
  mismatch: "The passwords don't match.",
  verb: "Set password",
  done: "Your password was changed, and all your sessions have ended. If you have a second factor, it's still on.",
  signIn: "Go to sign-in",
  incomplete: "This link is incomplete. Open it exactly as you received it, or ask for a new one.",
  badLink: "This link has expired or was already used. Ask whoever sent it for a new one.",
};
