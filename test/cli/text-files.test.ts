import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Prompts } from "../../src/cli/terminal/questions.js";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function shell() {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const line = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  writeFileSync(join(line.home, "text.md"), "\ufeffErste Zeile\nzweite: @niemand\n");
  writeFileSync(join(line.home, "latin.txt"), Buffer.from("Grüße", "latin1"));
  writeFileSync(join(line.home, "exact.txt"), "x".repeat(1 << 20));
  writeFileSync(join(line.home, "large.txt"), "x".repeat((1 << 20) + 1));
  mkdirSync(join(line.home, "folder"));
  return line;
}

const textWithMention = "Erste Zeile\nzweite: @niemand\n";

const texts: readonly [command: string, flag: string, field: string][] = [
  ["prompts create --kind answering --name P", "--text", "text"],
  ["knowledge create --group Default --name K", "--text", "text"],
  ["assistants update 65f1a0b2c3d4e5f601234568", "--introduction", "introduction"],
  ["glossary create --group Default --term T", "--definition", "definition"],
  ["tools create --name t --url https://example.com", "--description", "description"],
];

describe("a text flag", () => {
  test.each(texts)(
    "the command `%s %s` reads a file, standard input or the value of the flag",
    async (command, flag, field) => {
      const { runWith } = await shell();
      const planned = async (value: string, stdin = "") => {
        const ran = await runWith({ stdin }, ...command.split(" "), flag, value, "--dry-run", "-o", "json");
        expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
        return ran.json[0].body[field];
      };
      expect(await planned("@text.md")).toBe(textWithMention);
      expect(await planned("@-", "von der Eingabe")).toBe("von der Eingabe");
      expect(await planned("@@niemand")).toBe("@niemand");
      expect(await planned("@@")).toBe("@");
      expect(await planned("ein @ mitten darin")).toBe("ein @ mitten darin");
    },
  );

  test("--set reads a file as text even if it looks like JSON", async () => {
    const { runWith, home } = await shell();
    writeFileSync(join(home, "number.txt"), "12");
    const planned = async (assignment: string) =>
      (
        await runWith(
          {},
          "prompts",
          "create",
          "--kind",
          "answering",
          "--name",
          "P",
          "--set",
          assignment,
          "--dry-run",
          "-o",
          "json",
        )
      ).json[0].body;
    expect(await planned("text=@text.md")).toMatchObject({ text: textWithMention });
    expect(await planned("text=@number.txt")).toMatchObject({ text: "12" });
    expect(await planned("text=@@here")).toMatchObject({ text: "@here" });
  });

  test("`prompts update` sets the text of a prompt from a file", async () => {
    const { run } = await shell();
    const { id } = (await run("prompts", "create", "--kind", "answering", "--name", "P", "--text", "x")).json;
    expect((await run("prompts", "update", id, "--text", "@text.md")).json.text).toBe(textWithMention);
  });

  test.each([
    ["@none.txt", "no such file"],
    ["@folder", "it is a directory"],
    ["@latin.txt", "invalid UTF-8"],
    ["@large.txt", "is larger than 1 MiB"],
    ["@/dev/zero", "is larger than 1 MiB"],
    ["@", "missing file name after @"],
  ])("a text flag refuses an unusable file before any request: %s", async (value, reason) => {
    const { run } = await shell();
    for (const given of [
      ["--text", value],
      ["--set", `text=${value}`],
    ]) {
      const refused = await run("prompts", "update", "0".repeat(24), ...given);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain(reason);
      expect(refused.stderr).toContain(given[0]);
    }
  });

  test("a text flag accepts a file of one mebibyte", async () => {
    const { run } = await shell();
    const planned = await run("prompts", "update", "0".repeat(24), "--text", "@exact.txt", "--dry-run");
    expect(planned.code).toBe(0);
  });

  test("standard input is read only once in a command", async () => {
    const { runWith } = await shell();
    const words = ["prompts", "update", "0".repeat(24), "--text", "@-", "--set", "note=@-", "--dry-run"];
    const refused = await runWith({ stdin: "once" }, ...words);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("already reads standard input"),
    ]);
  });

  test("at a prompt, a value that starts with @ is text and not a file name", async () => {
    const emulator = await openSeededEmulator({ seed: "empty" });
    const { runWith } = commandLine({ env: { NO_COLOR: "1" } });
    const prompts: Prompts = {
      ...scriptPrompts(),
      text: async ({ message }) => (message.startsWith("name") ? "P" : "@niemand"),
      confirm: async () => true,
      choose: async ({ choices }) => {
        const choice = choices.find(({ name }) => ["answering", "text"].includes(name)) ?? choices[0];
        if (!choice) throw new Error("no choice");
        return choice.value;
      },
    };
    const words = ["prompts", "create", "--dry-run", "-o", "json", "--profile", "offline"];
    const ran = await runWith({ terminal: 80, overrides: { ...connectedTo(emulator), prompts } }, ...words);
    expect(ran.json[0].body.text).toBe("@niemand");
    expect(ran.stderr).toContain("--text @@niemand");
  });
});

describe.each([
  ["calls trigger --to +4915112345678 --assistant +4932221000001", "details"],
  ["legacy call --to +4930123456 --assistant +4932221000001", "details"],
])("the details of %s", (command, field) => {
  const planned = async (stdin: string, ...flags: string[]) => {
    const { runWith } = await shell();
    return runWith({ stdin }, ...command.split(" "), ...flags, "--dry-run", "-o", "json");
  };

  test("--details never reads its value as a file name", async () => {
    for (const value of ["@text.md", "@-", "@", "@/etc/passwd"]) {
      const refused = await planned("", "--details", value);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain("--set details=@FILE");
    }
  });

  test("--set details=@FILE reads a file or standard input", async () => {
    const body = async (stdin: string, ...flags: string[]) =>
      (await planned(stdin, ...flags)).json[0].body[field];
    expect(await body("", "--set", "details=@text.md")).toBe(textWithMention);
    expect(await body("aus dem CRM", "--set", "details=@-")).toBe("aus dem CRM");
    expect(await body("", "--details", "@@niemand")).toBe("@niemand");
    expect((await planned("", "--set", "details=@large.txt")).code).toBe(2);
  });
});

test("a name that starts with @ is not a file name", async () => {
  const { run } = await shell();
  const named = await run("groups", "create", "--type", "contacts", "--name", "@text.md");
  expect(named.json.name).toBe("@text.md");
});

test("an empty file or pipe does not remove a prompt's text", async () => {
  const { run, runWith, home } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  writeFileSync(join(home, "empty"), "");
  const before = (await run("prompts", "get", "Empfang", "-o", "json")).json;
  for (const text of ["@empty", "@-"]) {
    const { code, stderr } = await runWith({ stdin: "" }, "prompts", "update", "Empfang", "--text", text);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is empty")]);
  }
  expect((await run("prompts", "get", "Empfang", "-o", "json")).json).toEqual(before);
});
