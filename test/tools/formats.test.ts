import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { formatJunit } from "../../src/cli/output/junit.js";
import { findMissingPrograms } from "./programs.js";

const folder = mkdtempSync(join(tmpdir(), "formats-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Needs mandoc.
it.skipIf(findMissingPrograms("mandoc"))("mandoc reports no warning about a manual page", () => {
  const manual = fileURLToPath(new URL("../../dist/man", import.meta.url));
  const pages = readdirSync(manual).map((name) => join(manual, name));
  const { stdout, stderr } = spawnSync("mandoc", ["-T", "lint", "-W", "warning", ...pages], {
    encoding: "utf8",
  });
  expect(stdout + stderr).toBe("");
});

/** The elements and attributes that Jenkins' xUnit plugin accepts. */
const junit = `
<!ELEMENT testsuites (testsuite*)>
<!ATTLIST testsuites name CDATA #IMPLIED time CDATA #IMPLIED tests CDATA #IMPLIED failures CDATA #IMPLIED
  errors CDATA #IMPLIED>
<!ELEMENT testsuite (testsuite | properties | testcase | system-out | system-err)*>
<!ATTLIST testsuite name CDATA #REQUIRED tests CDATA #REQUIRED failures CDATA #REQUIRED errors CDATA #REQUIRED
  time CDATA #IMPLIED skipped CDATA #IMPLIED timestamp CDATA #IMPLIED file CDATA #IMPLIED>
<!ELEMENT testcase (skipped | error | failure | system-out | system-err)*>
<!ATTLIST testcase name CDATA #REQUIRED time CDATA #IMPLIED classname CDATA #IMPLIED>
<!ELEMENT failure (#PCDATA)>
<!ATTLIST failure type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT error (#PCDATA)>
<!ATTLIST error type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT skipped (#PCDATA)>
<!ATTLIST skipped type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT system-out (#PCDATA)>
<!ELEMENT system-err (#PCDATA)>
`;

// Needs xmllint.
it.skipIf(findMissingPrograms("xmllint"))("xmllint accepts JUnit results with any content", () => {
  const text = '"<]]>&\u0000\u001b\ud800\ufffe\r\n\t é 😀';
  const results = ["passed", "failed", "error", "skipped"] as const;
  const cases = results.map((result) => ({ name: text, milliseconds: 1, result, message: text, text }));
  const [file, types] = [join(folder, "results.xml"), join(folder, "junit.dtd")];
  writeFileSync(file, formatJunit({ name: text, file: text, begun: 0 }, cases));
  writeFileSync(types, junit);
  const { status, stderr } = spawnSync("xmllint", ["--noout", "--dtdvalid", types, file], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});
