import { counted } from "../format.ts";

/** Texts for the second factor: setting it up, its recovery codes, turning it off. */
export const secondFactor = {
  title: "Second factor",
  lead: "An authenticator app on your phone shows codes that you enter after your password.",
  on: "On",
  off: "Off",
  state: "Status",
  codesLeft: "Recovery codes left",
  fewLeft: (left: number) =>
    left === 0
      ? "You have no recovery codes left. Without your authenticator app you couldn't sign in. Get new ones."
      : `You have ${counted(left, "recovery code", "recovery codes")} left. Get new ones before you run out.`,
  setUp: "Set up",
  setUpTitle: "Set up a second factor",
  replace: "Move to another device",
  replaceLead:
    "Enter a code from your current authenticator app, or a recovery code. Your current app keeps working until you finish.",
  next: "Continue",
  scan: "Scan this code with an authenticator app, such as the one built into your password manager.",
  qrLabel: "QR code for your authenticator app",
  byHand: "Can't scan it? Enter this key in the app instead:",
  key: "Setup key",
  confirmLead: "Then enter the code that the app shows.",
  code: "Code",
  anyCode: "Code or recovery code",
  confirm: "Turn on",
  nothingToConfirm: "This setup was replaced by a newer one, in another tab or window. Start again.",
  wrongCode: "Incorrect code, or it was already used. Check that your phone's clock is right, then try the next code.",
  recoveryTitle: "Save your recovery codes",
  recoveryLead:
    "If you lose your phone, a recovery code gets you in. Each code works once. Keep them somewhere safe: they won't be shown again.",
  recoveryCodes: "Recovery codes",
  copyAll: "Copy",
  download: "Download",
  fileName: (account: string) => `switchboard-recovery-codes-${account}.txt`,
  fileHead: (email: string, account: string) =>
    `Switchboard recovery codes for ${email} (${account}). Each code works once.`,
  saved: "I've saved my codes",
  newCodes: "New recovery codes",
  newCodesLead: "Your earlier recovery codes stop working.",
  getCodes: "Get new codes",
  turnOff: "Turn off",
  turnOffTitle: "Turn off the second factor?",
  turnOffLead:
    "Your password alone signs you in from then on. If your account requires a second factor, you have to set up a new one right away.",
  turnedOff: "Second factor turned off",
  turnedOn: "Second factor turned on",
  requiredTitle: "Set up a second factor",
  required: (account: string) => `${account} requires a second factor. Set one up to continue.`,
  hasOne: "You have a second factor, but signed in without it. Sign in again to continue.",
  signInAgain: "Sign in again",
};
