/**
 * Checks whether the embedded identity provider is enabled. By default it is enabled if no other provider is
 * configured.
 */
export function embeddedLogin(settings: { EMBEDDED_LOGIN?: string; OIDC_ISSUER?: string }): boolean {
  const { EMBEDDED_LOGIN = "", OIDC_ISSUER = "" } = settings;
  return EMBEDDED_LOGIN === "" ? OIDC_ISSUER === "" : EMBEDDED_LOGIN === "on";
}
