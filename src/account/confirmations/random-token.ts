import { base64url } from "jose";

const TOKEN_BYTES = 32;

/** An unguessable text. */
export const randomToken = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
