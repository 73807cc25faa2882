import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weaknessOf } from "../../../src/account/auth/password-rule.ts";
import { freshPassword } from "../../support/person.ts";

const owner = { account: "acme-telephony", email: "Ann.Smith@harbour-lights.example" };
const weak = (password: string) => weaknessOf(password, owner);

describe("a password", () => {
  it.each([
    "correct horse battery is accepted",
    "tr0ub4dor & three",
    "många samtal i växeln",
    "xK9#mQ2$vL5n",
    "日本語のとても長いパスワード",
  ])("a password may be %s", (password) => {
    expect(weak(password)).toBeNull();
  });

  it.each([
    ["short", "elevenchars", /12 characters/],
    ["common", "qwerty123456", /most common/],
    ["common in capitals", "Administrator", /most common/],
    ["a common word with digits and signs", "Password2026!!!", /most common/],
    ["a common word with digits in front", "12345sunshine", /most common/],
    ["in full-width letters", "ｐａｓｓｗｏｒｄ１２３４", /most common/],
    ["one character", "aaaaaaaaaaaaaaa", /repetition/],
    ["a repetition", "horsehorsehor", /repetition/],
    ["a repetition of eight", "xK9#mQ2$xK9#mQ2$", /repetition/],
    ["the alphabet", "abcdefghijklmn", /sequence/],
    ["the alphabet backwards", "nmlkjihgfedcba", /sequence/],
    ["the keyboard", "asdfghjklqwert", /sequence/],
    ["runs", "1111222233334444", /sequence/],
    ["the email", "ann.smith@harbour-lights.example", /email/],
    ["the name before the @", "Ann.Smith2026", /email/],
    ["the account", "Acme-Telephony", /account/],
    ["the account with digits", "acme-telephony-2026!", /account/],
    ["the domain", "harbour-lights1", /email/],
  ])("a password must not be %s", (_, password, why) => {
    expect(weak(password)).toMatch(why);
  });

  it("must not be an account's name with digits appended", () => {
    expect(weaknessOf("harbour-lights-2034", { account: "harbour-lights-20", email: "a@b.example" })).toMatch(
      /account/,
    );
    expect(weaknessOf("849301928375", { account: "20", email: "1@2.example" })).toBeNull();
  });

  it("generated at random is never refused", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(63)), (stream) => {
        const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
        const password = [...stream.take(24)].map((n) => letters[n]).join("");
        // Without this, shrinking would end at the simplest passwords, which are weak.
        fc.pre(new Set(password).size > 12);
        expect(weak(password)).toBeNull();
      }),
    );
    for (let i = 0; i < 100; i++) expect(weak(freshPassword())).toBeNull();
  });
});
