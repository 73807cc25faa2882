/** Checks whether the embedded identity provider is enabled; by default if no other is configured. */
export function embeddedLogin(settings: { EMBEDDED_LOGIN?: string; OIDC_ISSUER?: string }): boolean {
  const { EMBEDDED_LOGIN = "", OIDC_ISSUER = "" } = settings;
  return EMBEDDED_LOGIN === "" ? OIDC_ISSUER === "" : EMBEDDED_LOGIN === "on";
}
