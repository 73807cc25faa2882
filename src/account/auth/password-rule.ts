import { z } from "@hono/zod-openapi";
import { invalidField } from "../../kernel/http/errors.ts";
import { COMMON_PASSWORDS, COMMON_WORDS } from "./common-passwords.ts";

/** What a password is weighed against: whose it is. */
export interface PasswordOwner {
  account: string;
  email: string;
}

const MIN_LENGTH = 12;
/** A password of runs shorter than this on average is no sequence. */
const LONG_RUN = 4;
/** Neighbours in one of these, either way, continue a sequence. */
const SEQUENCES = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** A password that somebody chooses, in a body; `assertStrong` then says whether it may be theirs. */
export const newPassword = z
  .string()
  .max(1000)
  .refine((password) => [...password].length >= MIN_LENGTH, `must have at least ${MIN_LENGTH} characters`)
  .openapi({
    minLength: MIN_LENGTH,
    description: "At least 12 characters; no common password, repetition or sequence, and not the email or account.",
    example: "plum-harbour-violin-42",
  });

/** @throws ApiError 400 `weak_password` for a password that is among the first to be guessed */
export function assertStrong(password: string, owner: PasswordOwner, field: string): void {
  const weakness = weaknessOf(password, owner);
  if (weakness === null) return;
  throw invalidField(field, "weak_password", weakness);
}

/** What is wrong with a password, in words; null for a good one. */
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

/** Without the digits and signs in front and behind, with which people fill up a short one. */
function coreOf(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

/** After how many characters the text begins anew; its length where it never does. */
function period(text: string): number {
  for (let n = 1; n <= text.length / 2; n++) if (text.slice(n) === text.slice(0, -n)) return n;
  return text.length;
}

/** Of how many runs of neighbours, or of one character, the text consists. */
function runs(text: string): number {
  let found = 1;
  for (let i = 1; i < text.length; i++) if (!isNeighbour(text[i - 1] ?? "", text[i] ?? "")) found++;
  return found;
}

function isNeighbour(a: string, b: string): boolean {
  return a === b || SEQUENCES.some((row) => row.includes(a + b) || row.includes(b + a));
}
