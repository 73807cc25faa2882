import {
  base64url,
  errors,
  importJWK,
  type CryptoKey as JoseKey,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { parse as uuidParse, stringify as uuidStringify } from "uuid";
import { z } from "zod";
import { repeatedId } from "./key-ids.ts";

/** The purpose of a token of ours. A token of one purpose is refused for every other. */
export type Audience =
  | "carrier"
  | "console"
  | "console-refresh"
  | "event-stream"
  | "login"
  | "runtime"
  | "sign-in-ticket"
  | "tester"
  | "transfer"
  | "visitor"
  | "visitor-refresh"
  | "visitor-token";

/** The result of checking a token; `expired` is one of ours that was valid once. */
export type Verdict = { claims: JWTPayload & { sub: string } } | { refused: "expired" | "invalid" };

/** There is no key to sign with, or SIGNING_KEYS is not well formed. */
export class SigningUnavailable extends Error {
  override readonly name = "SigningUnavailable";
}

const privateKeys = z.array(
  z.looseObject({
    kid: z.string().min(1),
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
);
type PrivateKey = z.infer<typeof privateKeys>[number];

interface SigningKey {
  jwk: PrivateKey;
  privateKey: JoseKey;
  publicKey: JoseKey;
}
type KeyRing = [SigningKey, ...SigningKey[]];

/** The issuer of every token of ours. */
export const ISSUER = "switchboard";
const encoder = new TextEncoder();
/** Imported keys by secret. Promises are not cached, because a Worker cannot await one of another request. */
const keyRings = new Map<string, KeyRing>();
const textKeys = new Map<string, CryptoKey>();

/**
 * The ES256 keys of SIGNING_KEYS, a JSON array of private JWKs with `kid`: the first signs, all of them verify.
 * @throws SigningUnavailable
 */
async function keyRing(secret: string | undefined): Promise<KeyRing> {
  if (!secret) throw new SigningUnavailable("SIGNING_KEYS is not configured");
  const cached = keyRings.get(secret);
  if (cached) return cached;
  const [current, ...older] = await Promise.all(parseKeys(secret).map(importKey));
  if (!current) throw new SigningUnavailable("SIGNING_KEYS contains no keys");
  const ring: KeyRing = [current, ...older];
  keyRings.set(secret, ring);
  return ring;
}

const MALFORMED = "SIGNING_KEYS must be a JSON array of private ES256 JWKs, each with a kid";

function parseKeys(secret: string): PrivateKey[] {
  let keys: PrivateKey[];
  try {
    keys = privateKeys.parse(JSON.parse(secret));
  } catch {
    // The parser's message would quote the secret.
    throw new SigningUnavailable(MALFORMED);
  }
  const repeated = repeatedId(keys.map(({ kid }) => kid));
  if (repeated === undefined) return keys;
  throw new SigningUnavailable(`SIGNING_KEYS has two keys with the kid ${repeated}; give the newer one another kid`);
}

async function importKey(jwk: PrivateKey): Promise<SigningKey> {
  try {
    const publicKey = (await importJWK(publicPart(jwk), "ES256")) as JoseKey;
    return { jwk, privateKey: (await importJWK(jwk, "ES256")) as JoseKey, publicKey };
  } catch {
    throw new SigningUnavailable(MALFORMED);
  }
}

/**
 * Signs claims for one audience; `expiresIn` in seconds, `now` in milliseconds, `iat` a whole second unless the claims
 * say it; a call's token says none. @throws SigningUnavailable
 */
export async function signToken(
  secret: string | undefined,
  audience: Audience,
  claims: JWTPayload & { sub: string },
  expiresIn: number,
  now: number,
): Promise<string> {
  const [current] = await keyRing(secret);
  const issuedAt = Math.floor(now / 1000);
  const token = new SignJWT(claims)
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setExpirationTime(issuedAt + expiresIn);
  const header = { alg: "ES256", kid: current.jwk.kid };
  // Carriers pass on a parameter of 500 characters at most, its name included: what nobody reads is left out.
  if (audience === "runtime" || audience === "carrier")
    return token.setProtectedHeader(header).sign(current.privateKey);
  return token
    .setProtectedHeader({ ...header, typ: "JWT" })
    .setIssuedAt(claims.iat ?? issuedAt)
    .sign(current.privateKey);
}

/** A uuid in 22 characters instead of 36, for tokens that must be short. */
export function shortId(uuid: string): string {
  return base64url.encode(uuidParse(uuid));
}

/** The uuid that `shortId` shortened; null if the text is not one. */
export function longId(short: string): string | null {
  try {
    return uuidStringify(base64url.decode(short));
  } catch {
    return null;
  }
}

/** The claims of a token of ours; null if it is forged, expired or for another purpose. */
export async function verifyToken(
  secret: string | undefined,
  audience: Audience,
  token: string,
  now: number,
): Promise<(JWTPayload & { sub: string }) | null> {
  const verdict = await judgeToken(secret, audience, token, now);
  return "claims" in verdict ? verdict.claims : null;
}

/** Like verifyToken, but distinguishes an expired token from one that was never valid for this purpose. */
export async function judgeToken(
  secret: string | undefined,
  audience: Audience,
  token: string,
  now: number,
): Promise<Verdict> {
  const ring = await keyRing(secret);
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = ring.find(({ jwk }) => jwk.kid === kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key.publicKey;
      },
      {
        issuer: ISSUER,
        audience,
        algorithms: ["ES256"],
        currentDate: new Date(now),
        requiredClaims: ["sub", "exp"],
      },
    );
    return { claims: { ...payload, sub: payload.sub ?? "" } };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { refused: "expired" };
    if (error instanceof errors.JOSEError) return { refused: "invalid" };
    throw error;
  }
}

/** The public halves, as served at /.well-known/jwks.json (RFC 7517). */
export async function publicKeySet(secret: string | undefined): Promise<{ keys: JWK[] }> {
  return { keys: (await keyRing(secret)).map(({ jwk }) => publicPart(jwk)) };
}

/** HMAC-SHA-256 over the text with a key derived from ours for this purpose alone, base64url. */
export async function signText(secret: string | undefined, purpose: string, text: string): Promise<string> {
  const [current] = await keyRing(secret);
  const mac = await crypto.subtle.sign("HMAC", await textKey(current, purpose), encoder.encode(text));
  return base64url.encode(new Uint8Array(mac));
}

/** Whether any of our keys has signed the text for this purpose: an older one still counts. */
export async function verifyText(
  secret: string | undefined,
  purpose: string,
  text: string,
  signature: string,
): Promise<boolean> {
  const mac = macIn(signature);
  if (!mac) return false;
  for (const key of await keyRing(secret))
    if (await crypto.subtle.verify("HMAC", await textKey(key, purpose), mac, encoder.encode(text))) return true;
  return false;
}

function macIn(signature: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(base64url.decode(signature));
  } catch {
    return null;
  }
}

async function textKey({ jwk }: SigningKey, purpose: string): Promise<CryptoKey> {
  const name = `${jwk.kid} ${purpose}`;
  const cached = textKeys.get(name);
  if (cached) return cached;
  const base = await crypto.subtle.importKey("raw", encoder.encode(jwk.d), "HKDF", false, ["deriveKey"]);
  const key = await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) },
    base,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
  textKeys.set(name, key);
  return key;
}

function publicPart({ kty, crv, x, y, kid }: PrivateKey): JWK {
  return { kty, crv, x, y, kid, use: "sig", alg: "ES256" };
}
