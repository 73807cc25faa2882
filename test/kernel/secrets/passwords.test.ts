import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/kernel/secrets/passwords.ts";
import { slowPasswords } from "../../support/quick-passwords.ts";

/** The hash of "correct horse", computed with Node's own PBKDF2. */
const HASHED_ELSEWHERE = "pbkdf2-sha256$100000$MDEyMzQ1Njc4OWFiY2RlZg$WYEVV1ul0qBt7iGnOFpq5RmH0aOFvmOKTlUAgn9mWYM";

slowPasswords();

describe("passwords", () => {
  it("a password verifies, and no other text does", async () => {
    const stored = await hashPassword("correct horse");
    expect(stored).toMatch(/^pbkdf2-sha256\$100000\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword("correct horse", stored)).toBe("right");
    expect(await verifyPassword("correct horse ", stored)).toBe("wrong");
    expect(await verifyPassword("", stored)).toBe("wrong");
    expect(await hashPassword("correct horse")).not.toBe(stored);
  });

  it("a password is hashed as other implementations of PBKDF2 do", async () => {
    expect(await verifyPassword("correct horse", HASHED_ELSEWHERE)).toBe("right");
    expect(await verifyPassword("correct house", HASHED_ELSEWHERE)).toBe("wrong");
  });

  it("never verify without a hash", async () => {
    for (const password of ["", "x", "undefined"]) {
      expect(await verifyPassword(password, undefined)).toBe("wrong");
      expect(await verifyPassword(password, undefined, "pepper")).toBe("wrong");
      expect(await verifyPassword(password, "")).toBe("wrong");
    }
  });

  it("a password hashed with the pepper cannot be verified without it", async () => {
    const stored = await hashPassword("correct horse", "cayenne");
    expect(stored).toMatch(/^pbkdf2-sha256-hmac\$100000\$[\w-]{22}\$[\w-]{43}\$[\w-]{8}$/);
    expect(await verifyPassword("correct horse", stored, "cayenne")).toBe("right");
    expect(await verifyPassword("correct horsf", stored, "cayenne")).toBe("wrong");
    for (const other of [undefined, "", "paprika"]) {
      expect(await verifyPassword("correct horse", stored, other)).toBe("sealed");
    }
    // The hash differs from that of the password without a pepper.
    const [, rounds, salt, hash] = stored.split("$");
    expect(await verifyPassword("correct horse", `pbkdf2-sha256$${rounds}$${salt}$${hash}`, "cayenne")).toBe("wrong");
  });

  it("a password from before the pepper, or with an earlier pepper, is correct but outdated", async () => {
    const [plain, earlier] = [await hashPassword("correct horse"), await hashPassword("correct horse", "paprika")];
    for (const stored of [plain, earlier]) {
      expect(await verifyPassword("correct horse", stored, "cayenne, paprika")).toBe("outdated");
      expect(await verifyPassword("wrong horse", stored, "cayenne, paprika")).toBe("wrong");
    }
    expect(await verifyPassword("correct horse", plain)).toBe("right");
    expect(await verifyPassword("correct horse", earlier, "paprika,cayenne")).toBe("right");
  });
});
