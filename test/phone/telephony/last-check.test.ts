import { afterEach, describe, expect, it, vi } from "vitest";
import { tenant } from "../../support/client.ts";
import { lineAt, NUMBER, NUMBERS } from "./carrier-support.ts";

afterEach(() => vi.restoreAllMocks());

describe("the last check of a number", () => {
  interface Listed {
    numbers: { id: string; last_check: { at: string; ok: boolean; failed: string[] } | null; updated_at: string }[];
  }
  const listed = async ({ who }: Awaited<ReturnType<typeof lineAt>>) =>
    (await who.server.get<Listed>(NUMBERS)).body.numbers;

  it("a number's last check lists what failed and when, for that number alone", async () => {
    const line = await lineAt("twilio");
    line.carrier.own({ e164: NUMBER });
    const id = await line.register();
    const other = await line.register({ e164: "+12025550101" });
    const before = await listed(line);
    expect(before.map(({ last_check }) => last_check)).toEqual([null, null]);
    const began = new Date().toISOString();

    await line.post(`${NUMBERS}/${id}/check`);
    const [unchecked, checked] = await listed(line);
    expect(unchecked).toEqual(before.find((number) => number.id === other));
    expect(checked?.last_check).toEqual({ at: expect.any(String), ok: false, failed: ["inbound_address"] });
    expect((checked?.last_check?.at ?? "") >= began).toBe(true);
    expect(checked?.updated_at).toBe(before.find((number) => number.id === id)?.updated_at);

    await line.post(`${NUMBERS}/${id}/check?fix=inbound`);
    expect((await listed(line))[1]?.last_check).toMatchObject({ ok: true, failed: [] });
  });

  it("a number's last check contains every failed check in order", async () => {
    const line = await lineAt("twilio");
    const id = await line.register();
    line.carrier.intercept = () => new Response("no", { status: 503 });
    await line.post(`${NUMBERS}/${id}/check`, { PUBLIC_URL: "" });
    const [number] = await listed(line);
    expect(number?.last_check).toMatchObject({ ok: false, failed: ["owned", "webhook_reachable", "inbound_address"] });
  });

  it("a refused check leaves a number's last check unchanged", async () => {
    const line = await lineAt("twilio");
    const id = await line.register();
    const other = await tenant();
    await other.server.post(`${NUMBERS}/${id}/check`);
    await line.post(`${NUMBERS}/${id}/check`, { ENCRYPTION_KEYS: "" });
    expect((await listed(line))[0]?.last_check).toBeNull();
  });
});
