/** Who is signed in, and the password. */
export const profile = {
  title: "Sign-in and password",
  lead: "Your account and password.",
  fields: { name: "Name", email: "Email", account: "Account", ends: "This session ends" },
  signOut: "Sign out",
  password: "Password",
  current: "Current password",
  next: "New password",
  nextHint: "At least 12 characters. Common passwords aren't allowed.",
  again: "Confirm new password",
  mismatch: "The passwords don't match.",
  wrong: "Incorrect password.",
  change: "Change password",
  changed: "Password changed. All your other sessions have ended.",
  others: "Changing your password signs you out of all other browsers and devices. You stay signed in here.",
  elsewhere: "Your password is managed by your identity provider. Change it there.",
};
