/** Who is signed in, and the password. */
export const profile = {
  title: "Sign-in and password",
  lead: "Who you are here, and how you come in.",
  fields: { name: "Name", email: "Email", account: "Account", ends: "This session ends" },
  signOut: "Sign out",
  password: "Change the password",
  current: "Current password",
  next: "New password",
  nextHint: "At least 12 characters, and none that everybody uses.",
  again: "New password again",
  mismatch: "The two are not the same.",
  wrong: "That is not your current password.",
  change: "Change password",
  changed: "Your password is changed. All your other sessions have ended.",
  others: "Changing the password ends all your other sessions: other browsers, other machines. This one goes on.",
  elsewhere: "Your password is kept by your identity provider; change it there.",
};
