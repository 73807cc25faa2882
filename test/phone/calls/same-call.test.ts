import { describe, expect, it } from "vitest";
import { KINDS } from "./call-kinds.ts";
import { getCall, settled } from "./support.ts";

const MACHINE = { status: "in-progress", answered_by: "machine", machine: "greeting" };
const HUMAN = { status: "in-progress", answered_by: "human" };

describe.each(KINDS)("%s", (_, begin) => {
  it("shows that a person answered", async () => {
    const { who, id, report } = await begin("continue");
    expect(await report(HUMAN)).toBe(204);
    const answered = await settled(who.server, id, ({ metadata }) => metadata.answered_by !== undefined);
    expect(answered).toMatchObject({ status: "in-progress", metadata: { answered_by: "human" } });
  });

  it("stays answered by a machine if a person is reported later", async () => {
    const { who, id, report } = await begin("continue");
    for (const event of [HUMAN, MACHINE, HUMAN, { status: "completed", answered_by: "human" }])
      expect(await report(event)).toBe(204);
    const over = await settled(who.server, id, ({ ended_at }) => ended_at !== null);
    expect(over).toMatchObject({ end_reason: "machine", metadata: { answered_by: "machine" } });
  });

  it("ends as answered by a machine if its agent talked to the machine to the end", async () => {
    const { who, id, report } = await begin("continue");
    expect(await report(MACHINE)).toBe(204);
    expect(await report({ status: "completed", reason: "normal_clearing" })).toBe(204);
    const over = await settled(who.server, id, ({ ended_at }) => ended_at !== null);
    expect(over).toMatchObject({ status: "completed", end_reason: "machine" });
  });

  it("shows a machine that is reported after its end", async () => {
    const { who, id, report } = await begin();
    expect(await report({ status: "completed", reason: "normal_clearing" })).toBe(204);
    await settled(who.server, id, ({ ended_at }) => ended_at !== null);
    expect(await report({ status: "completed", answered_by: "machine" })).toBe(204);
    const corrected = await settled(who.server, id, ({ end_reason }) => end_reason === "machine");
    expect(corrected).toMatchObject({ status: "completed", metadata: { answered_by: "machine" } });
    expect((await getCall(who.server, id)).ended_at).toBe(corrected.ended_at);
  });
});
