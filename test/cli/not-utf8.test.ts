import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function office() {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  await shell.run("groups", "create", "--name", "Kunden", "--type", "contacts");
  const write = (name: string, content: Buffer) => writeFileSync(join(shell.home, name), content);
  const contacts = async () => (await shell.run("contacts", "list", "--group", "Kunden", "-o", "json")).json;
  return { ...shell, write, contacts };
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const create = ["contacts", "create", "--group", "Kunden"];
const lost = "J\ufffdrgen";

/** Commands that read a file. The first line of the file is valid UTF-8. */
const doors: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    "JSON in --data",
    "body.json",
    '{"last_name": "A",\n"first_name": "Jürgen"}',
    [...create, "--data", "@body.json"],
  ],
  ["YAML in --data", "body.yaml", "last_name: A\nfirst_name: Jürgen\n", [...create, "--data", "@body.yaml"]],
  ["a text in --set", "name.txt", "Anna\nJürgen", [...create, "--set", "first_name=@name.txt"]],
  [
    "a request body of `voxctl api`",
    "body.json",
    '{"last_name": "A",\n"first_name": "Jürgen"}',
    ["api", "POST", "/contacts", "--data", "@body.json"],
  ],
  [
    "an organization spec",
    "spec.yaml",
    "msps:\n  - {external_id: ü}",
    ["orgs", "provision", "spec.yaml", "--yes"],
  ],
  [
    "a suite of test calls",
    "suite.yaml",
    "scenarios:\n  - name: ü",
    ["calls", "test", "suite.yaml", "--offline"],
  ],
  [
    "a quarantine file",
    "q.yaml",
    "quarantine:\n  - scenario: ü",
    ["calls", "test", "suite.yaml", "--offline", "--quarantine", "q.yaml"],
  ],
  [
    "a rules file of `webhook listen`",
    "rules.yaml",
    "rules:\n  - name: ü",
    ["webhook", "listen", "--rules", "rules.yaml"],
  ],
  [
    "a secret",
    "secret.txt",
    "a\nü",
    [
      "assistants",
      "webhook",
      "set",
      "Empfang",
      "--url",
      "https://example.org",
      "--auth",
      "bearer",
      "--secret",
      "file:secret.txt",
    ],
  ],
  [
    "a CSV file imported with --encoding utf-8",
    "list.csv",
    "Vorname\nJürgen",
    ["contacts", "import", "list.csv", "--group", "Kunden", "--encoding", "utf-8"],
  ],
];

describe("input that is not UTF-8", () => {
  test.each(doors)(
    "a command refuses %s that is not UTF-8 and names the line",
    async (_, name, text, command) => {
      const { run, write, contacts } = await office();
      write(
        "suite.yaml",
        Buffer.from("scenarios:\n  - { name: a, assistant: A, to: '+4915112345678', details: a }"),
      );
      write(name, latin1(text));
      const ran = await run(...command);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("line 2")]);
      expect(ran.stderr).toContain("UTF-8");
      expect(await contacts()).toEqual([]);
    },
  );

  test.each(
    doors.filter(([, name]) => /\.(?:json|yaml)$/.test(name) && name !== "q.yaml" && name !== "rules.yaml"),
  )("if standard input for %s is not UTF-8, the error names the line", async (_, name, text, command) => {
    const { runWith, contacts } = await office();
    const isStdin = (word: string) => word === name || word === `@${name}`;
    const words = command.map((word) => (isStdin(word) ? word.replace(name, "-") : word));
    const ran = await runWith({ stdin: latin1(text) }, ...words);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("line 2")]);
    expect(await contacts()).toEqual([]);
  });

  test.each([
    ["an argument", ["contacts", "get", lost], "<contact>"],
    ["a flag", [...create, "--first-name", lost], "--first-name"],
    ["a repeated flag", [...create, "--set", "first_name=Anna", "--set", `last_name=${lost}`], "--set"],
    ["a JSON escape in --data", [...create, "--data", '{"first_name": "J\\ufffdrgen"}'], "first_name"],
    ["a JSON escape in --set", [...create, "--set", 'emails=["\\ufffd"]'], "emails.0"],
    [
      "a request body of `voxctl api`",
      ["api", "POST", "/contacts", "--data", '{"a": [{"b": "\\ufffd"}]}'],
      "a.0.b",
    ],
  ])(
    "the error for a replacement character in %s names the argument, flag or field",
    async (_, command, name) => {
      const { run, contacts } = await office();
      const ran = await run(...command);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${name} contains U+FFFD`)]);
      expect(await contacts()).toEqual([]);
    },
  );

  test("a UTF-8 file that contains U+FFFD is refused", async () => {
    const { run, write, contacts } = await office();
    write(
      "spec.yaml",
      Buffer.from(`msps:\n  - external_id: m-1\n    name: ${lost}\n    license: { id: l-1, product: MSP }\n`),
    );
    const plan = await run("orgs", "provision", "spec.yaml", "--yes");
    expect([plan.code, plan.stderr]).toEqual([2, expect.stringContaining("msps.0.name contains U+FFFD")]);
    write("suite.yaml", Buffer.from(`scenarios:\n  - { name: ${lost}, assistant: A, to: '+4915112345678' }`));
    const suite = await run("calls", "test", "suite.yaml", "--offline");
    expect([suite.code, suite.stderr]).toEqual([2, expect.stringContaining("contains U+FFFD")]);
    write("list.csv", Buffer.from(`Vorname\n${lost}\n`));
    for (const flags of [[], ["--encoding", "utf-8"]]) {
      const imported = await run("contacts", "import", "list.csv", "--group", "Kunden", ...flags);
      expect([imported.code, imported.stderr]).toEqual([2, expect.stringContaining("contains U+FFFD")]);
    }
    expect(await contacts()).toEqual([]);
  });

  test("if a --state file is not UTF-8, the error names the line", async () => {
    const { run, write, contacts } = await office();
    write("list.csv", Buffer.from("id,Vorname\nk1,Anna\n"));
    write("state.jsonl", latin1('{"format": 1}\n{"key": "ü"}\n'));
    const sync = ["contacts", "sync", "list.csv", "--group", "Kunden", "--key", "id", "--yes"];
    const ran = await run(...sync, "--state", "state.jsonl");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("line 2")]);
    expect(ran.stderr).toContain("UTF-8");
    expect(await contacts()).toEqual([]);
  });

  test("a UTF-8 file with a byte order mark is accepted", async () => {
    const { run, runWith, write, contacts } = await office();
    const body = Buffer.from('\ufeff{"first_name": "Jürgen"}');
    write("body.json", body);
    write("body.yaml", Buffer.from("\ufefffirst_name: Jürgen\n"));
    await run(...create, "--data", "@body.json");
    await run(...create, "--data", "@body.yaml");
    await runWith({ stdin: body }, ...create, "--data", "@-");
    expect((await contacts()).map((contact: { first_name: string }) => contact.first_name)).toEqual(
      Array(3).fill("Jürgen"),
    );
  });
});
