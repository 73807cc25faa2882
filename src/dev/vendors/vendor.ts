import { z } from "zod";

/** A request as a vendor receives it. */
export interface VendorRequest {
  method: string;
  url: URL;
  headers: Headers;
  text: string;
}

/** A stand-in for a vendor: answers as its published API does and refuses everything else. */
export interface Vendor {
  host: string;
  answer(request: VendorRequest): Response;
}

export const json = (status: number, body: unknown) => Response.json(body, { status });

/** Headers that vendors ignore. */
const TRIVIAL = ["accept", "user-agent", "content-length"];

/** Checks whether a request has these headers, and no others that a vendor would read. */
export function hasHeaders({ headers }: VendorRequest, wanted: Record<string, string>): boolean {
  const given = [...headers].filter(([name]) => !TRIVIAL.includes(name));
  return given.length === Object.keys(wanted).length && given.every(([name, value]) => wanted[name] === value);
}

export const JSON_TYPE = { "content-type": "application/json" };
export const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

export const basic = (username: string, password: string) => `Basic ${btoa(`${username}:${password}`)}`;

/** Parses a JSON body by the vendor's schema; returns null if it is invalid. */
export function bodyAs<T extends z.ZodType>(schema: T, { text }: VendorRequest): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Parses query or form parameters by the vendor's schema; returns null if one is given twice. */
export function pairsAs<T extends z.ZodType>(schema: T, given: URLSearchParams): z.output<T> | null {
  const pairs = [...given];
  const once = new Set(pairs.map(([name]) => name)).size === pairs.length;
  return (once && schema.safeParse(Object.fromEntries(pairs)).data) || null;
}

/** A moment in UTC. */
export const utc = z.iso.datetime();
export const timeZone = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
});
