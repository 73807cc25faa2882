import { counted } from "../format.ts";

/** Texts for deleting an account permanently, which operators can do. */
export const deletion = {
  title: "Delete account",
  disableFirst:
    "Only a disabled account can be deleted. Disable it first, and take a backup if anyone might need its data.",
  what: "Deletes everything in this account for good: its configuration, members and keys, calls, campaigns, conversations, recordings and logs. It begins after 7 days, and you can cancel it until then.",
  delete: "Delete account",
  confirmTitle: (name: string) => `Delete “${name}”?`,
  confirmBody:
    "In 7 days everything in this account is deleted. This can't be undone, and no account can ever use its name again. Until then the account stays disabled, and you can cancel.",
  typeName: (name: string) => `Type ${name} to confirm`,
  code: "Code from your authenticator app",
  scheduled: "Deletion scheduled",
  begins: "Everything in this account will be deleted, beginning",
  until: "Until then it stays disabled, and you can cancel.",
  cancel: "Cancel deletion",
  keep: "Keep it scheduled",
  cancelTitle: "Cancel the deletion?",
  cancelBody: "The account keeps everything it has. It stays disabled until you enable it.",
  cancelled: "Deletion canceled",
  held: "The deletion is delayed",
  heldMore:
    "The step below is retried automatically, every minute at first and every hour later. Everything else is deleted meanwhile. If it keeps failing, check the service log.",
  failing: "failing since",
  aStep: "A step",
  steps: {
    live: "Ending calls and campaigns",
    objects: "Emptying objects",
    files: "Deleting files",
    rows: "Deleting rows",
    settle: "Waiting for work in progress",
    last_objects: "Searching again for objects",
    last_files: "Searching again for files",
  },
  running: ({ objects, files, rows }: { objects: number; files: number; rows: number }) =>
    `This account is being deleted. So far: ${counted(objects, "object", "objects")}, ${counted(files, "file", "files")} and ${counted(rows, "row", "rows")}.`,
};
