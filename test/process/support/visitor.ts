/** A browser without a screen. It keeps cookies by host and follows no redirects by itself. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  async request(url: string | URL, form?: Record<string, string>, accept = "*/*"): Promise<Response> {
    const { host } = new URL(url);
    const jar = this.cookies(host);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { accept, ...(cookie && { cookie }) },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  cookies(host: string): Map<string, string> {
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }

  /**
   * Signs in at the provider as `user`: from its authorization address, through its login and consent forms, to the
   * address to which it sends the browser back. That address is not requested.
   */
  async signIn(authorization: string, user: string): Promise<URL> {
    let next = authorization;
    for (let step = 0; step < 20; step++) {
      const response = await this.request(next);
      const location = response.headers.get("location");
      if (location) {
        const target = new URL(location, next);
        if (target.pathname === "/api/login/callback") return target;
        next = target.href;
        continue;
      }
      const page = await response.text();
      const [, action = "", prompt = ""] = /action="([^"]+)"[\s\S]*?name="prompt" value="([^"]+)"/.exec(page) ?? [];
      if (!action) throw new Error(`no form at ${next}: ${response.status} ${page.slice(0, 500)}`);
      const answer = await this.request(new URL(action, next), { prompt, login: user, password: "any" });
      next = new URL(answer.headers.get("location") ?? "", next).href;
    }
    throw new Error("the provider does not come to an end");
  }
}
