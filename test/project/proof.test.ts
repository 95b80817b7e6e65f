import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { chosenParts, parts } from "../proof/parts.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("npm run proof", () => {
  it("`npm run proof` runs every test file that has a longer version", () => {
    const asking = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `test/${file}`)
      .filter((file) =>
        /process\.env\["PROOF"\]|\btestOnTransports\(|helpers\/proof\.js"/m.test(
          readFileSync(join(root, file), "utf8"),
        ),
      );
    const run = Object.values(parts).flatMap(({ files = [] }) => files);
    expect(run.toSorted()).toEqual(asking.toSorted());
    expect(run.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("`npm run proof` accepts only names of parts or their prefixes", () => {
    const names = (...partNames: string[]) => chosenParts(partNames).map(([name]) => name);
    expect(names()).toEqual(Object.keys(parts));
    expect(names("mutants", "kills")).toEqual(["kills", "mutants"]);
    expect(names("node")).toEqual(["node-20.19.0", "node-22", "node-24"]);
    expect(() => chosenParts(["kill", "walls"])).toThrow(
      /^unknown part "walls"; expected one of kills, .*node-24/,
    );
  });
});
