/** Texts for the account's rules for users who sign in with a password. */
export const signInPolicy = {
  title: "Sign-in policy",
  lead: "Rules for everyone who signs in to this account with a password. Changes apply immediately, also to current sessions.",
  elsewhere: "People who sign in with an identity provider follow that provider's rules.",
  factor: "Second factor",
  requireFactor: "Require a second factor",
  requireFactorHint: "Anyone without one, you included, must set one up before doing anything else.",
  sessions: "Sessions",
  hours: "Maximum session length (hours)",
  hoursHint: "1 to 12. After this time everyone signs in again.",
  idle: "Sign out when idle (minutes)",
  idleHint: "5 to 120. An open console window counts as activity.",
  saved: "Sign-in policy saved",
  requireTitle: "Require a second factor?",
  requireBody:
    "Everyone who signed in without one must set one up before doing anything else. Their live streams and conversations are closed.",
  requireVerb: "Require it",
};
