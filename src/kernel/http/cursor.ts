import { base64url } from "jose";
import type { z } from "zod";
import { signText, verifyText } from "../secrets/tokens.ts";
import type { Bindings } from "./context.ts";
import { invalidField } from "./errors.ts";

const PURPOSE = "list-cursor";

interface Listed {
  account: string;
  list: string;
}

type Secrets = Pick<Bindings, "SIGNING_KEYS">;

/**
 * Signs a position in a list. The result is returned in `next` and accepted in `after`. A cursor is only valid for its
 * own list.
 */
export async function sealCursor({ SIGNING_KEYS }: Secrets, listed: Listed, position: unknown): Promise<string> {
  const text = base64url.encode(JSON.stringify(position));
  return `${text}.${await signText(SIGNING_KEYS, PURPOSE, signedText(listed, text))}`;
}

/** Returns the position that a cursor of this list contains. @throws ApiError 400 naming `after` for any other text */
export async function openCursor<T>(
  { SIGNING_KEYS }: Secrets,
  listed: Listed,
  cursor: string,
  form: z.ZodType<T>,
): Promise<T> {
  const [text = "", signature = "", ...more] = cursor.split(".");
  const isOurs = more.length === 0 && (await verifyText(SIGNING_KEYS, PURPOSE, signedText(listed, text), signature));
  if (!isOurs) throw invalidField("after", "unknown_cursor", "must be the `next` of a page of this list");
  return form.parse(JSON.parse(new TextDecoder().decode(base64url.decode(text))));
}

function signedText({ account, list }: Listed, text: string): string {
  return [account, list, text].join("\n");
}
