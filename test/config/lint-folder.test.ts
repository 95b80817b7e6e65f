import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectText, setUpConfig } from "../helpers/config.js";

const assistant = (more: string) =>
  `name: Empfang\nlanguage: de\nvoice: Clara\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\n${more}`;

describe("lint --directory", () => {
  test("`lint --directory` reports the organization's problems by file and line, without requests", async () => {
    const { runWith, root, writes } = await setUpConfig({
      "prompts/empfang.md": "---\nname: Empfang\nkind: answering\n---\nHallo @preCallData\n",
      "assistants/empfang.yaml": assistant(
        "prompt: prompts/empfang\ntools: []\nknowledge: []\npre_call_webhook: null\n",
      ),
      "tools/crm.yaml": "# das CRM\nname: crm\nurl: http://crm.example.com/a\n",
      "forwardings/zentrale.yaml":
        "group: Zentrale\nitems:\n  - { key: a, name: A, destination_type: phone }\n",
      "knowledge/preise/zahn.md": "---\ntitle: Zahn\n---\n",
    });
    const lint = (...more: string[]) => runWith({ cwd: root }, "lint", "--directory", ".", ...more);
    const { code, json } = await lint();
    expect(code).toBe(10);
    const findings = json.map(({ rule, id, file, line }: Record<string, unknown>) => [rule, id, file, line]);
    expect(findings).toEqual([
      ["forwarding-target", "forwardings/zentrale#a", "forwardings/zentrale.yaml", 3],
      ["knowledge-empty", "knowledge/preise/zahn", "knowledge/preise/zahn.md", 2],
      ["tool-plain-http", "tools/crm", "tools/crm.yaml", 2],
      ["webhook-missing", "assistants/empfang", "assistants/empfang.yaml", 1],
      ["group-unused", "knowledge/preise", "knowledge/preise/zahn.md", 2],
      ["tool-unused", "tools/crm", "tools/crm.yaml", 2],
    ]);
    expect(json[2].help).toBe("edit tools/crm.yaml, line 2");
    const sarif = (await lint("-o", "sarif")).json.runs[0].results[2].locations[0].physicalLocation;
    expect(sarif).toEqual({
      artifactLocation: { uri: "tools/crm.yaml", uriBaseId: "%SRCROOT%" },
      region: { startLine: 2 },
    });
    expect((await lint("--skip", "tool-unused", "--severity", "error")).json.length).toBe(1);
    expect(await writes()).toEqual([]);
  });

  test.each([
    ["the repository", ".git"],
    ["the working directory", undefined],
  ])("`lint --directory` writes SARIF with the locations of files from %s", async (_, repository) => {
    const { runWith, home } = await setUpConfig({
      "tools/crm.yaml": "name: crm\nurl: http://crm.example/a\n",
    });
    if (repository !== undefined) mkdirSync(join(home, repository));
    const cwd = repository === undefined ? home : join(home, "folder", "tools");
    const directory = repository === undefined ? "folder" : "..";
    const { json } = await runWith({ cwd }, "lint", "--directory", directory, "-o", "sarif");
    const [{ physicalLocation, logicalLocations }] = json.runs[0].results[0].locations;
    expect(physicalLocation.artifactLocation).toEqual({
      uri: "folder/tools/crm.yaml",
      uriBaseId: "%SRCROOT%",
    });
    expect(logicalLocations[0].fullyQualifiedName).toBe("folder/tools/crm");
  });

  test("[F3] `lint --directory` reports no problems for values that files omit", async () => {
    const { runWith, root } = await setUpConfig({
      "prompts/empfang.md": "---\nname: Empfang\nkind: answering\n---\nHallo @preCallData\n",
      "assistants/empfang.yaml": assistant("prompt: prompts/empfang\n"),
      "assistants/abend.yaml": assistant("").replace("Empfang", "Abend"),
      "tools/crm.yaml": "name: crm\nurl: https://crm.example.com/a\n",
      "knowledge/preise/zahn.md": "---\ntitle: Zahn\n---\n95 EUR\n",
    });
    const ran = await runWith({ cwd: root }, "lint", "--directory", ".");
    expect([ran.code, ran.json]).toEqual([0, []]);
  });

  test("`lint --directory` exits with code 2 for an invalid directory, several targets or --plan", async () => {
    const { runWith, root, write } = await setUpConfig({
      "prompts/a.md": "---\nname: A\nkind: answering\n---\nA\n",
    });
    const lint = (...more: string[]) => runWith({ cwd: root }, "lint", "--directory", ".", ...more);
    expect((await lint("--plan", "x.plan")).code).toBe(2);
    expect((await runWith({ cwd: root }, "lint", "--target", "dev")).code).toBe(2);
    write({ "voxctl.project.yaml": projectText("  prod: {}\n") });
    expect((await lint()).stderr).toContain("several targets: dev, prod");
    expect((await lint("--target", "prod")).code).toBe(0);
    write({ "prompts/a.md": "name: A" });
    expect((await lint("--target", "prod")).stderr).toContain("prompts/a.md, line 1");
  });
});
