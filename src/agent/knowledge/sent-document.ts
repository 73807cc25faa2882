import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Context } from "hono";
import type { z } from "zod";
import type { documents } from "../../kernel/db/schema/index.ts";
import { egressRules, judgeAddress } from "../../kernel/egress/address.ts";
import { parseJson, readBytes } from "../../kernel/http/body.ts";
import { decodedBody } from "../../kernel/http/content-encoding.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError, invalid, invalidField } from "../../kernel/http/errors.ts";
import { nameIgnored, unknownFieldsError } from "../../kernel/http/ignored-fields.ts";
import { MAX_VALUES } from "../../kernel/http/inspect-json.ts";
import { fieldErrors, invalidFields } from "../../kernel/http/issues.ts";
import { type FormRules, InvalidUpload, readForm, UploadTooLarge } from "../../kernel/http/multipart.ts";
import { prefersStrict } from "../../kernel/http/prefer.ts";
import { type UnknownField, type UnknownFields, unknownFields } from "../../kernel/http/unknown-fields.ts";
import { isObject } from "../../kernel/objects.ts";
import { formFields, newAddress, newText } from "./contract.ts";
import { assertDaysInOrder, contentTypeOf } from "./fields.ts";
import { MAX_DOCUMENT_BYTES } from "./limits.ts";

/** The settings that a document keeps if the same content is sent again under its title. */
const SETTINGS = ["language", "effective_from", "effective_until", "pages", "refresh_hours"] as const;
type Settings = Pick<typeof documents.$inferSelect, (typeof SETTINGS)[number]>;
type SentSettings = { [Name in keyof Settings]?: Settings[Name] | undefined };

export interface SentDocument {
  fields: z.output<typeof formFields> & { title: string };
  /** The settings that the request contains, without defaults. */
  settings: SentSettings;
  unknown: UnknownFields;
  source: "file" | "text" | "url";
  address: { url: string; pages: number; refresh_hours: number | null } | null;
  file_name: string;
  content_type: NonNullable<ReturnType<typeof contentTypeOf>>;
  pieces: Uint8Array[];
  bytes: number;
  /** SHA-256 of the original, hexadecimal. */
  sha256: string;
}

const FORM: FormRules = { file: "file", most: MAX_DOCUMENT_BYTES, received: 33_000_000 };
/** The size limits of a JSON body, bytes. An escaped character takes up to six bytes. */
const JSON_LIMIT = { kept: 4_000_000, read: 33_000_000 };
const MAX_TITLE_CHARS = 200;
const MAX_FILE_NAME_CHARS = 255;

/** Reads a document from a form or from JSON. @throws ApiError 400, 413 */
export async function sentDocument(c: Context<AppEnv>): Promise<SentDocument> {
  const isForm = /^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "");
  const sent = await (isForm ? sentFile(c) : sentText(c));
  assertDaysInOrder(sent.fields);
  return sent;
}

async function sentText(c: Context<AppEnv>): Promise<SentDocument> {
  if (!/^application\/([a-z.-]+\+)?json\s*(;|$)/i.test(c.req.header("content-type") ?? ""))
    throw invalid("content type must be multipart/form-data or application/json", "unsupported_content_type");
  const { headers } = c.req.raw;
  const body = await readBytes({ headers, body: decodedBody(c.req.raw) }, JSON_LIMIT);
  const json = parseJson(body, { values: MAX_VALUES, halfPairs: false, textBytes: JSON_LIMIT.kept });
  if (isObject(json) && "url" in json) return sentAddress(c, json);
  const { text, ...fields } = parsed(newText, json);
  const unknown = unknownFields(newText, json);
  report(c, unknown);
  const bytes = new TextEncoder().encode(text);
  return {
    fields,
    settings: settingsIn(json, fields),
    unknown,
    source: "text",
    address: null,
    file_name: "text.md",
    content_type: "text/markdown",
    pieces: [bytes],
    bytes: bytes.length,
    sha256: bytesToHex(sha256(bytes)),
  };
}

/** @throws ApiError 400 if the address may not be fetched */
function sentAddress(c: Context<AppEnv>, json: Record<string, unknown>): SentDocument {
  const { url: written, pages, refresh_hours, title, ...fields } = parsed(newAddress, json);
  const unknown = unknownFields(newAddress, json);
  report(c, unknown);
  const verdict = judgeAddress(written, egressRules(c.env));
  if ("refused" in verdict) throw invalidField("url", "refused_address", verdict.refused, verdict.refused);
  verdict.url.hash = "";
  const { href, host, pathname } = verdict.url;
  const ofAddress = `${host}${pathname === "/" ? "" : pathname}`.slice(0, MAX_TITLE_CHARS).toWellFormed();
  return {
    settings: settingsIn(json, Object.assign({ pages, refresh_hours }, fields)),
    fields: Object.assign(fields, { title: title ?? ofAddress }),
    unknown,
    source: "url",
    address: { url: href, pages, refresh_hours },
    file_name: "page.html",
    content_type: "text/html",
    pieces: [],
    bytes: 0,
    sha256: bytesToHex(sha256(new TextEncoder().encode(href))),
  };
}

async function sentFile(c: Context<AppEnv>): Promise<SentDocument> {
  const pieces: Uint8Array[] = [];
  const hash = sha256.create();
  const sent: Record<string, string | null> = {};
  const others: string[] = [];
  let [file_name, bytes] = ["", 0];
  try {
    await readForm({ headers: c.req.raw.headers, body: decodedBody(c.req.raw) }, FORM, {
      // An empty field counts as not sent.
      field: (name, value) => {
        if (value !== "") sent[name] = value;
      },
      otherFile: (name) => others.push(name),
      begin: ({ name }) => {
        file_name = baseName(name);
      },
      chunk: (piece) => {
        pieces.push(piece.slice());
        hash.update(piece);
        bytes += piece.length;
      },
    });
  } catch (error) {
    if (error instanceof InvalidUpload) throw invalid(error.message, "invalid_form");
    if (error instanceof UploadTooLarge) throw new ApiError(413, "body_too_large", error.message);
    throw error;
  }
  const { title, ...fields } = parsed(formFields, sent);
  const unread = others.map((name) => ({ path: [name], known: ["file"] }));
  const unknown = withFields(unknownFields(formFields, sent), unread);
  report(c, unknown);
  const content_type = contentTypeOf(file_name);
  if (content_type === null)
    throw invalidField("file", "unsupported_type", "must be a .md, .txt, .html, .csv, .pdf or .docx file");
  if (bytes === 0) throw invalidField("file", "empty", "must not be empty");
  const ofName = file_name.slice(0, file_name.lastIndexOf(".")).trim().slice(0, MAX_TITLE_CHARS).toWellFormed();
  return {
    settings: settingsIn(sent, fields),
    fields: Object.assign(fields, { title: title ?? (ofName || file_name) }),
    unknown,
    source: "file",
    address: null,
    file_name,
    content_type,
    pieces,
    bytes,
    sha256: bytesToHex(hash.digest()),
  };
}

/** Returns a file's name without folders and control characters, with its extension. */
function baseName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  return last
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(-MAX_FILE_NAME_CHARS)
    .toWellFormed();
}

function parsed<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const { data, error } = schema.safeParse(sent);
  if (error) throw invalidFields(fieldErrors(error, sent));
  return data as z.output<S>;
}

/** Returns the settings among the sent fields, as they were read. */
function settingsIn(sent: unknown, read: SentSettings): SentSettings {
  const names = SETTINGS.filter((name) => isObject(sent) && Object.hasOwn(sent, name));
  return Object.fromEntries(names.map((name) => [name, read[name]]));
}

function withFields({ fields, total }: UnknownFields, more: UnknownField[]): UnknownFields {
  return { fields: [...fields, ...more], total: total + more.length };
}

/** Reports unknown fields. @throws ApiError 400 under strict handling */
function report(c: Context<AppEnv>, unknown: UnknownFields): void {
  if (unknown.total > 0 && prefersStrict(c.req.header("prefer"))) throw unknownFieldsError(unknown);
  nameIgnored(c, unknown);
}

/**
 * Reports the sent settings that an existing document does not have, because it keeps its own.
 * @throws ApiError 400 `duplicate_document` under strict handling
 */
export function reportKept(
  c: Context<AppEnv>,
  { settings, unknown }: SentDocument,
  kept: Settings & { detected: string | null },
): void {
  const differing = SETTINGS.filter((name) => {
    const sent = settings[name];
    if (sent === undefined || sent === kept[name]) return false;
    return !(name === "language" && kept.language === null && sent === kept.detected);
  });
  const message = "differs from the existing document with this content and title; change that document instead";
  if (differing.length > 0 && prefersStrict(c.req.header("prefer")))
    throw invalidFields(
      differing.map((field) => ({ field, code: "duplicate_document", message })),
      "duplicate_document",
    );
  const fields = differing.map((name) => ({ path: [name], known: [...SETTINGS] }));
  nameIgnored(c, withFields(unknown, fields));
}
