import { base64url } from "jose";
import { z } from "zod";
import { sha256Hex } from "../../../kernel/secrets/hashing.ts";
import { signText, verifyText } from "../../../kernel/secrets/tokens.ts";

const PURPOSE = "speech";

/** What a ticket lets its bearer hear: a part, by the id that only its conversation's object knows the words of. */
interface SpeechTicket {
  account: string;
  /** The key of the conversation's session. */
  key: string;
  id: string;
  /** The mark of the page that may hear it; null for callers without a page, such as the console. */
  page: string | null;
}

const fields = z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]);

/** Returns a mark of a page's origin, which may be too long for an address. */
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

/** Returns what a ticket was signed for; null if it is not ours. @throws SigningUnavailable */
export async function readTicket(secret: string | undefined, ticket: string): Promise<SpeechTicket | null> {
  const [text = "", signature = ""] = ticket.split(".");
  if (!(await verifyText(secret, PURPOSE, text, signature))) return null;
  const [account, key, id, page] = fields.parse(JSON.parse(new TextDecoder().decode(base64url.decode(text))));
  return { account, key, id, page };
}
