import { describe, expect, it } from "vitest";
import { zoneOfNumber } from "../../src/kernel/zones/number-zone.ts";

describe("the time zone of a number", () => {
  it.each([
    ["+4930901820", "Europe/Berlin"],
    ["+442079460000", "Europe/London"],
    ["+390612345678", "Europe/Rome"],
    ["+4721234567", "Europe/Oslo"],
    ["+35891234567", "Europe/Helsinki"],
    ["+212650123456", "Africa/Casablanca"],
    ["+81312345678", "Asia/Tokyo"],
    ["+6565551234", "Asia/Singapore"],
    ["+254201234567", "Africa/Nairobi"],
    ["+12423220100", "America/Nassau"],
    ["+18765550100", "America/Jamaica"],
    ["+16585550100", "America/Jamaica"],
    ["+17875550100", "America/Puerto_Rico"],
    ["+262262161234", "Indian/Reunion"],
    ["+262639012345", "Indian/Mayotte"],
  ])("the time zone of %s is that of its country: %s", (number, zone) => {
    expect(zoneOfNumber(number)).toBe(zone);
    expect(zoneOfNumber(number)).toBe(zone);
  });

  it.each([
    ["the United States", "+12025550100"],
    ["Canada", "+14165550100"],
    ["Russia", "+79161234567"],
    ["Brazil", "+5511987654321"],
    ["Australia", "+61412345678"],
    ["Spain with its islands", "+34911234567"],
    ["China with the time of its west", "+861012345678"],
    ["no country: freephone", "+80012345678"],
    ["no country: toll-free in America", "+18005550100"],
    ["no country: a satellite", "+881612345678"],
    ["no calling code", "+9991234567"],
  ])("a number's time zone is unknown for a country with several: %s", (_, number) => {
    expect(zoneOfNumber(number)).toBeNull();
  });

  it("time zones within a calling code are distinguished only if clocks differ", () => {
    const clock = (number: string) => {
      const timeZone = zoneOfNumber(number) ?? "";
      const show = new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "long", hourCycle: "h23" });
      return [0, 3, 6, 9].map((month) => show.format(Date.UTC(2027, month, 15)).replace(/ [^ ]*$/, ""));
    };
    // Guernsey, Jersey and the Isle of Man have London's time; Mayotte doesn't have Réunion's.
    for (const number of ["+441481960194", "+441534456789", "+441624756789", "+447911123456"])
      expect(clock(number)).toEqual(clock("+442079460000"));
    expect(clock("+262639012345")).not.toEqual(clock("+262262161234"));
  });
});
