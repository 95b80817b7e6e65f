import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactNumber, parseExactJson, stringifyExactJson } from "../../src/base/exact-json.js";

const digits = (text: string) => new ExactNumber(text);

describe("[T9] numbers in a response", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    "0.12345678901234567891",
    "12345678901234567.25",
    "1e400",
    "10000000000000000000000",
    "1.7976931348623159e308",
  ])("a number keeps its digits if a double can't represent it: %s", (text) => {
    expect(parseExactJson(text)).toEqual(digits(text));
    expect(parseExactJson(`{"a":[1,${text}]}`)).toEqual({ a: [1, digits(text)] });
    expect(stringifyExactJson({ a: [1, digits(text)] })).toBe(`{"a":[1,${text}]}`);
  });

  it.each(["0", "-1", "1.0", "9007199254740991", "100000000000000000000", "1e5", "0.1", "1E-7", "5e-324"])(
    "a number is parsed as a double if a double can represent it: %s",
    (text) => expect(parseExactJson(`{"a": ${text}}`)).toEqual({ a: Number(text) }),
  );

  it("digits within strings and field names are not parsed as numbers", () => {
    const texts = ['"9007199254740993"', '"\\"9007199254740993"', '", 9007199254740993 ,"', '"# ## #0"'];
    for (const text of texts) {
      const json = `{${text}:${text},"n":[ 9007199254740993 ]}`;
      const plain = JSON.parse(json) as Record<string, unknown>;
      expect(parseExactJson(json)).toEqual({ ...plain, n: [digits("9007199254740993")] });
    }
  });

  it("a string that looks like the parser's internal marker stays a string", () => {
    for (const text of ['"\\u00230"', '"#0"', `"${"#".repeat(1_000_000)}"`])
      expect(parseExactJson(`[${text},9007199254740993]`)).toEqual([
        JSON.parse(text),
        digits("9007199254740993"),
      ]);
  });

  it("text that is not JSON is a syntax error, even if it contains long numbers", () => {
    for (const text of ["", "{", "[012345678901234567890]", "[9007199254740993", "[- 9007199254740993]"])
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it("a number with many digits is returned unchanged anywhere in the document", () => {
    const number = fc.bigInt({ min: 2n ** 53n }).map((whole) => digits(`-${whole * 2n + 1n}.5`));
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue(),
        number,
        fc.array(tie("value")),
        fc.dictionary(fc.string(), tie("value")),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (input, indent) => {
        const text = stringifyExactJson(input, indent);
        expect(stringifyExactJson(parseExactJson(text), indent)).toBe(text);
        expect(JSON.stringify(JSON.parse(text), null, indent).split("\n").length).toBe(
          text.split("\n").length,
        );
      }),
    );
  });

  it("stringifyExactJson equals JSON.stringify for values without long numbers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(stringifyExactJson(value, indent)).toBe(JSON.stringify(value, null, indent));
      }),
    );
  });

  it("JSON.stringify writes a number with many digits as a string", () => {
    expect(JSON.stringify({ a: digits("9007199254740993") })).toBe('{"a":"9007199254740993"}');
  });
});
