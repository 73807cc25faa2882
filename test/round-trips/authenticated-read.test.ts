import { describe, expect, it } from "vitest";
import { tenant } from "../support/client.ts";
import { countRoundTrips } from "../support/counting.ts";

describe("storage round trips of an authenticated read", () => {
  it("are one hop to the gate and one D1 batch with a warm key, one D1 batch with a console token", async () => {
    const { server, user } = await tenant();
    await server.get("/api/v1/agents");
    const [key, token] = [
      await countRoundTrips("/api/v1/agents", server.headers),
      await countRoundTrips("/api/v1/agents", user.headers),
    ];
    console.warn(
      [
        "GET /api/v1/agents    gate  D1",
        `  warm API key        ${key.objects}     ${key.d1}`,
        `  console token       ${token.objects}     ${token.d1}`,
      ].join("\n"),
    );
    expect(key).toMatchObject({ status: 200, objects: 1, d1: 1 });
    expect(token).toMatchObject({ status: 200, objects: 0, d1: 1 });
  });

  it.each(["calls", "do-not-call", "recordings", "telephony/numbers", "telephony/providers"])(
    "are one D1 batch for the list of %s",
    async (list) => {
      const { user } = await tenant();
      const trips = await countRoundTrips(`/api/v1/${list}`, user.headers);
      expect(trips).toMatchObject({ status: 200, objects: 0, d1: 1 });
    },
  );

  it("are none when a key's checksum is wrong", async () => {
    const headers = { authorization: `Bearer sk_live_acme_${"x".repeat(38)}` };
    expect(await countRoundTrips("/api/v1/agents", headers)).toMatchObject({ status: 401, objects: 0, d1: 0 });
  });
});
