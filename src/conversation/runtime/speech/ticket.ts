import { base64url } from "jose";
import { z } from "zod";
import { sha256Hex } from "../../../kernel/secrets/hashing.ts";
import { signText, verifyText } from "../../../kernel/secrets/tokens.ts";

const PURPOSE = "speech";

/** The content of a ticket: a part's id, whose words only the conversation's object knows. */
interface SpeechTicket {
  account: string;
  /** The key of the conversation's session. */
  key: string;
  id: string;
  /** The hashed origin of the page that may play it; null for callers without a page, such as the console. */
  page: string | null;
}

const fields = z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]);

/** Hashes a page's origin, which may be too long for an address. */
export async function pageMark(origin: string): Promise<string> {
  return (await sha256Hex(origin)).slice(0, 32);
}

/** @throws SigningUnavailable */
export async function signTicket(
  secret: string | undefined,
  { account, key, id, page }: SpeechTicket,
): Promise<string> {
  const text = base64url.encode(JSON.stringify([account, key, id, page]));
  return `${text}.${await signText(secret, PURPOSE, text)}`;
}

/** Returns the content of a ticket; null if it is invalid. @throws SigningUnavailable */
export async function readTicket(secret: string | undefined, ticket: string): Promise<SpeechTicket | null> {
  const [text = "", signature = ""] = ticket.split(".");
  if (!(await verifyText(secret, PURPOSE, text, signature))) return null;
  const [account, key, id, page] = fields.parse(JSON.parse(new TextDecoder().decode(base64url.decode(text))));
  return { account, key, id, page };
}
