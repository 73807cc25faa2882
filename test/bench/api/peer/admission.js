import { createHash, createPublicKey, verify } from "node:crypto";
import { crc32 } from "node:zlib";

/** How long a verified key or token is believed, ms. */
const REUSE_MS = 30_000;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const sha256Hex = (text) => createHash("sha256").update(text).digest("hex");
const badToken = () => new ApiError(401, "token_invalid", "token is not valid");

/** Who is let in: by an API key, known by its hash, or by a console token, whose user is looked up each time. */
export function admission(db, signingKeys) {
  const publicKeys = new Map(
    JSON.parse(signingKeys).map(({ kid, kty, crv, x, y }) => [
      kid,
      createPublicKey({ key: { kty, crv, x, y }, format: "jwk" }),
    ]),
  );
  const known = new Map();
  const remembered = (name, load) => {
    const found = known.get(name);
    if (found && Date.now() - found.at < REUSE_MS) return found.value;
    const value = load();
    known.set(name, { value, at: Date.now() });
    return value;
  };

  function byKey(request, token) {
    const [, account, rest] = /^sk_live_(.+)_([0-9A-Za-z]+)$/.exec(token) ?? [];
    if (!account) throw new ApiError(400, "malformed_token", "malformed token: not an API key");
    if (rest.length !== 38 || checksum(token.slice(0, -6)) !== token.slice(-6)) throw badToken();
    const hash = sha256Hex(token);
    const key = remembered(hash, () => db.useKey(account, hash));
    if (!key) throw badToken();
    if (key.disabled_at !== null) throw new ApiError(403, "key_revoked", "this API key is revoked");
    request.account = account;
    request.subject = key.id;
    request.actor = `api_key:${key.id}`;
  }

  function byConsoleToken(request, token) {
    const claims = remembered(token, () => verified(token));
    const account = request.headers["x-account-id"];
    if (!claims || claims.exp * 1000 <= Date.now()) throw badToken();
    if (!claims.accounts.includes(account)) throw new ApiError(403, "account_mismatch", "not for this account");
    if (!db.isUser(account, claims.sub)) throw badToken();
    request.account = account;
    request.subject = claims.sub;
    request.actor = `console:${claims.sub}`;
  }

  function verified(token) {
    const [header, payload, signature] = token.split(".");
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
    const key = publicKeys.get(kid);
    const signed = Buffer.from(`${header}.${payload}`);
    const good =
      key && verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
    const claims = good && JSON.parse(Buffer.from(payload, "base64url").toString());
    return claims && claims.aud === "console" ? claims : null;
  }

  return {
    byToken: async (request) => {
      const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
      if (!token) throw new ApiError(401, "token_missing", "authorization header is missing");
      if (token.startsWith("sk_live_")) byKey(request, token);
      else byConsoleToken(request, token);
    },
  };
}

function checksum(text) {
  let value = crc32(text);
  let out = "";
  for (let i = 0; i < 6; i++) {
    out = BASE62[value % 62] + out;
    value = Math.floor(value / 62);
  }
  return out;
}
