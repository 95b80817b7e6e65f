import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertSafeAddress, requestUrl, safeAddress } from "../../src/client/addresses.js";
import { ClientError } from "../../src/client/errors.js";

describe("the base URL of a key", () => {
  it.each([
    "https://api.example.org/api/v1",
    "http://127.0.0.1:4010",
    "http://127.8.9.10",
    "http://localhost:4010/api/v1",
    "http://emulator.localhost",
    "http://[::1]:4010",
  ])("the base URL %s is accepted", (address) => {
    expect(() => assertSafeAddress(address)).not.toThrow();
  });

  it.each([
    ["http://api.example.org", "insecure_address"],
    ["http://127.0.0.1.example.org", "insecure_address"],
    ["http://localhost.example.org", "insecure_address"],
    ["http://notlocalhost", "insecure_address"],
    ["http://0.0.0.0", "insecure_address"],
    ["http://10.0.0.1", "insecure_address"],
    ["ftp://127.0.0.1", "invalid_address"],
    ["api.example.org", "invalid_address"],
    ["", "invalid_address"],
    ["https://user:secret@api.example.org", "invalid_address"],
  ])("the base URL %s is refused", (address, code) => {
    const refusal = (() => {
      try {
        assertSafeAddress(address);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(refusal).toBeInstanceOf(ClientError);
    expect(refusal).toMatchObject({ type: "configuration", code, outcome: "none" });
    expect(String(refusal)).not.toContain("secret");
  });
});

describe("the URL of a request", () => {
  const base = fc.constantFrom(
    "https://api.example.org",
    "https://API.example.org:443/api/../api/v1/",
    "http://127.0.0.1:4010/a%20b//",
    "http://[::1]:4010/\u00e4",
  );
  const segment = fc.oneof(
    fc.constantFrom("contacts", "..", ".", "%2e%2e", "%2E", "a b", "..a", "a..", "\u00e4", "?q", "#f", "\\"),
    fc.string({ maxLength: 4 }),
  );
  /** Node 20 and 22 don't resolve `..` after a segment that starts with a dot, as in `/.a/../b`. */
  const isMisread = (path: string) => /\/\.(?![./]|$).*\/\.{1,2}(?:[/?#]|$)/s.test(path);
  it("for any path, a request has the same URL as with Node.js's URL class", () => {
    fc.assert(
      fc.property(base, fc.array(segment, { minLength: 1, maxLength: 4 }), (address, segments) => {
        const path = `/${segments.join("/")}`;
        fc.pre(!isMisread(path));
        const whole = new URL(`${address.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`);
        expect(requestUrl(safeAddress(address), path)).toBe(whole.href);
      }),
      { numRuns: 500 },
    );
  });
});
