/** Whether the embedded identity provider is in service: by default where no other is configured. */
export function embeddedLogin(settings: { EMBEDDED_LOGIN?: string; OIDC_ISSUER?: string }): boolean {
  const { EMBEDDED_LOGIN = "", OIDC_ISSUER = "" } = settings;
  return EMBEDDED_LOGIN === "" ? OIDC_ISSUER === "" : EMBEDDED_LOGIN === "on";
}
