import { describe, expect, it } from "vitest";
import type { Settings } from "../../src/browser/console/screens/agents/settings/settings-form.ts";
import { changesOf } from "../../src/browser/console/ui/changes.ts";

const BEFORE = { name: "Ada", transfer_targets: [{ label: "Office", number: "+12025550177" }] } as unknown as Settings;
const withTargets = (transfer_targets: Settings["transfer_targets"]): Settings =>
  Object.assign({}, BEFORE, { transfer_targets });

describe("the settings of an agent that a form sends", () => {
  it("a form sends only the settings that changed", () => {
    expect(changesOf(BEFORE, Object.assign({}, BEFORE, { name: "Grace" }))).toEqual({ name: "Grace" });
  });

  it("name the target that takes calls no model can answer", () => {
    const marked = withTargets([{ label: "Office", number: "+1 202 555 0177", on_failure: true }]);
    expect(changesOf(BEFORE, marked)).toEqual({
      transfer_targets: [{ label: "Office", number: "+1 202 555 0177", on_failure: true }],
    });
  });
});
