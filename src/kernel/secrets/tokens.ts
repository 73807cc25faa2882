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

/** The purpose of a token. It is refused for every other purpose. */
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

/** The result of verifying a token. `expired` means that it was valid once. */
export type Verdict = { claims: JWTPayload & { sub: string } } | { refused: "expired" | "invalid" };

/** Thrown if there is no signing key or SIGNING_KEYS is malformed. */
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

export const ISSUER = "switchboard";
const encoder = new TextEncoder();
/**
 * The imported keys by secret. Promises are not cached, because a request on Workers cannot await another request's
 * promise.
 */
const keyRings = new Map<string, KeyRing>();
const textKeys = new Map<string, CryptoKey>();

/**
 * Returns the ES256 keys of SIGNING_KEYS, a JSON array of private JWKs with `kid`. The first one signs, and all verify.
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
    // The parser's own message would quote the secret.
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
 * Signs claims for one audience. `expiresIn` is in seconds, `now` in milliseconds. `iat` is in whole seconds unless the
 * claims set it; tokens for calls have none.
 * @throws SigningUnavailable
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
  // Carriers pass on parameters of at most 500 characters, including the name, so unused header fields are omitted.
  if (audience === "runtime" || audience === "carrier")
    return token.setProtectedHeader(header).sign(current.privateKey);
  return token
    .setProtectedHeader({ ...header, typ: "JWT" })
    .setIssuedAt(claims.iat ?? issuedAt)
    .sign(current.privateKey);
}

/** Encodes a UUID in 22 characters instead of 36, for tokens that must be short. */
export function shortId(uuid: string): string {
  return base64url.encode(uuidParse(uuid));
}

/** Decodes a UUID that `shortId` encoded; null if the text is not one. */
export function longId(short: string): string | null {
  try {
    return uuidStringify(base64url.decode(short));
  } catch {
    return null;
  }
}

/** Returns the claims of a token; null if it is forged, expired or for another purpose. */
export async function verifyToken(
  secret: string | undefined,
  audience: Audience,
  token: string,
  now: number,
): Promise<(JWTPayload & { sub: string }) | null> {
  const verdict = await judgeToken(secret, audience, token, now);
  return "claims" in verdict ? verdict.claims : null;
}

/** Verifies a token as `verifyToken` does, but distinguishes expired tokens from invalid ones. */
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

/** Returns the public keys in the form served at /.well-known/jwks.json (RFC 7517). */
export async function publicKeySet(secret: string | undefined): Promise<{ keys: JWK[] }> {
  return { keys: (await keyRing(secret)).map(({ jwk }) => publicPart(jwk)) };
}

/** Returns the HMAC-SHA-256 of a text in base64url. Its key is derived for this purpose only. */
export async function signText(secret: string | undefined, purpose: string, text: string): Promise<string> {
  const [current] = await keyRing(secret);
  const mac = await crypto.subtle.sign("HMAC", await textKey(current, purpose), encoder.encode(text));
  return base64url.encode(new Uint8Array(mac));
}

/** Checks whether any of the configured keys, including older ones, signed the text for this purpose. */
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
