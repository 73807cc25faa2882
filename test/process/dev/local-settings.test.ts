import { describe, expect, it } from "vitest";
import { localSettings } from "../../../src/dev/local-settings.ts";

const BASE = "http://localhost:8787";
const VENDORS = "localhost:8787/demo/vendor/";

describe("TOOL_HOSTS on a developer's machine", () => {
  it("allows the vendors' stand-ins by default", () => {
    expect(localSettings({ TOOL_HOSTS: "" }, BASE).TOOL_HOSTS).toBe(VENDORS);
    expect(localSettings({}, BASE).TOOL_HOSTS).toBe(VENDORS);
  });

  it("adds the named hosts to the vendors' stand-ins", () => {
    expect(localSettings({ TOOL_HOSTS: "localhost:3000,crm.test" }, BASE).TOOL_HOSTS).toBe(
      `${VENDORS},localhost:3000,crm.test`,
    );
  });
});
