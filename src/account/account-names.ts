import { z } from "@hono/zod-openapi";

const MAX_NAME_CHARS = 80;

/** Line breaks, other control characters, and characters that change the direction of text. */
const UNSHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** The display name of an account. Anyone who is not a member also sees the account's own name (`nameForStrangers`). */
export const displayName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_NAME_CHARS)
  .refine((name) => !UNSHOWN.test(name), "must be one line without control or bidirectional characters")
  .openapi({
    description:
      "The account's display name: one line of up to 80 characters, available as `{{account_name}}` in agents' " +
      "texts.",
    example: "Acme Dental",
  });

/**
 * Returns an account's display name together with its own name, for people who are not its members. Display names are
 * not unique, so one alone could impersonate another account.
 */
export function nameForStrangers({ name, display_name }: { name: string; display_name: string }): string {
  return name === display_name ? name : `${display_name} (${name})`;
}
