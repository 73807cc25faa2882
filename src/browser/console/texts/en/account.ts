/** Texts for the account's name and time zone. */
export const account = {
  title: "Account",
  lead: "Your account's display name and time zone.",
  name: "Display name",
  nameHint: (name: string) =>
    `What people call your account. Agents know it as {{account_name}}. Invitations also show the account's own name, ${name}.`,
  timezone: "Time zone",
  timezoneHint:
    "Agents get the date and time in the time zone of the person they talk to. This one is used if neither the " +
    "contact, the campaign, the phone number nor the agent has a time zone.",
  none: "None (UTC)",
  saved: "Account saved",
};
