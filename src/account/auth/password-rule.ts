import { z } from "@hono/zod-openapi";
import { invalidField } from "../../kernel/http/errors.ts";
import { COMMON_PASSWORDS, COMMON_WORDS } from "./common-passwords.ts";

/** The owner of a password. The password must not resemble their names. */
export interface PasswordOwner {
  account: string;
  email: string;
}

const MIN_LENGTH = 12;
/** A password whose runs have a shorter average length than this is not a sequence. */
const LONG_RUN = 4;
/** Two characters continue a sequence if they are neighbours in one of these, in either direction. */
const SEQUENCES = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** A new password in a body; `assertStrong` checks it against its owner. */
export const newPassword = z
  .string()
  .max(1000)
  .refine((password) => [...password].length >= MIN_LENGTH, `must have at least ${MIN_LENGTH} characters`)
  .openapi({
    minLength: MIN_LENGTH,
    description: "At least 12 characters; no common password, repetition or sequence, and not the email or account.",
    example: "plum-harbour-violin-42",
  });

/** @throws ApiError 400 `weak_password` if the password is easy to guess */
export function assertStrong(password: string, owner: PasswordOwner, field: string): void {
  const weakness = weaknessOf(password, owner);
  if (weakness === null) return;
  throw invalidField(field, "weak_password", weakness);
}

/** Returns what is wrong with a password, as a sentence; null if nothing is. */
export function weaknessOf(password: string, { account, email }: PasswordOwner): string | null {
  const text = password.normalize("NFKC").toLowerCase();
  const core = coreOf(text);
  if ([...text].length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (COMMON_PASSWORDS.has(text) || COMMON_PASSWORDS.has(core) || COMMON_WORDS.has(core)) {
    return "is among the most common passwords";
  }
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const names = [account, email.toLowerCase(), local, domain, domain.replace(/\.[^.]*$/, "")];
  if (names.some((name) => text === name || (core !== "" && core === coreOf(name)))) {
    return "must not be the email or the account name";
  }
  if (period(text) <= text.length / 2) return "must not be a repetition";
  if (runs(text) * LONG_RUN <= text.length) return "must not be a sequence of adjacent characters";
  return null;
}

/** Removes the leading and trailing digits and signs that people add to short passwords. */
function coreOf(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

/**
 * Returns the length of the shortest repeating unit of the text, characters; the text's own length if it does not
 * repeat.
 */
function period(text: string): number {
  for (let n = 1; n <= text.length / 2; n++) if (text.slice(n) === text.slice(0, -n)) return n;
  return text.length;
}

/** Counts the runs of equal or neighbouring characters in the text. */
function runs(text: string): number {
  let found = 1;
  for (let i = 1; i < text.length; i++) if (!isNeighbour(text[i - 1] ?? "", text[i] ?? "")) found++;
  return found;
}

function isNeighbour(a: string, b: string): boolean {
  return a === b || SEQUENCES.some((row) => row.includes(a + b) || row.includes(b + a));
}
