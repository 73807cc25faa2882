import { z } from "@hono/zod-openapi";
import { invalidField } from "../../kernel/http/errors.ts";
import { COMMON_PASSWORDS, COMMON_WORDS } from "./common-passwords.ts";

/** The owner of a password, which must not resemble their names. */
export interface PasswordOwner {
  account: string;
  email: string;
}

const MIN_LENGTH = 12;
/** Passwords whose runs are shorter than this on average are not sequences. */
const LONG_RUN = 4;
/** Neighbours in one of these, in either direction, continue a sequence. */
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

/** @throws ApiError 400 `weak_password` for a password that is easily guessed */
export function assertStrong(password: string, owner: PasswordOwner, field: string): void {
  const weakness = weaknessOf(password, owner);
  if (weakness === null) return;
  throw invalidField(field, "weak_password", weakness);
}

/** Returns the fault of a password as a sentence; null for a good one. */
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

/** Removes leading and trailing digits and signs, with which people pad short passwords. */
function coreOf(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

/** Returns the period of the text, characters; its length if it does not repeat. */
function period(text: string): number {
  for (let n = 1; n <= text.length / 2; n++) if (text.slice(n) === text.slice(0, -n)) return n;
  return text.length;
}

/** Counts the runs of neighbouring or equal characters in the text. */
function runs(text: string): number {
  let found = 1;
  for (let i = 1; i < text.length; i++) if (!isNeighbour(text[i - 1] ?? "", text[i] ?? "")) found++;
  return found;
}

function isNeighbour(a: string, b: string): boolean {
  return a === b || SEQUENCES.some((row) => row.includes(a + b) || row.includes(b + a));
}
