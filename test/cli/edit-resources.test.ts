import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** The editor runs `script`, with the file to edit as `$1`. */
async function setUpEditor(script: string, ...replies: unknown[]) {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const prompts = replies.length > 0 ? { prompts: scriptPrompts(...replies) } : {};
  const shell = commandLine({ overrides: { ...connectedTo(emulator), ...prompts } });
  const editor = join(shell.home, "editor.sh");
  writeFileSync(editor, `#!/bin/sh\ncp "$1" "${shell.home}/opened"\n${script}\n`);
  const env = { EDITOR: `sh ${editor}`, VISUAL: undefined };
  return {
    ...shell,
    emulator,
    opened: () => readFileSync(join(shell.home, "opened"), "utf8"),
    run: (...argv: string[]) => shell.runWith({ env }, "--profile", "offline", ...argv),
  };
}

/** Returns the content of the file that the error message names, and deletes the file. */
function keptFile(stderr: string): string {
  const [kept = ""] = /\S+\/voxctl-edit-[^/]+\/[a-z-]+\.(?:md|yaml)/.exec(stderr) ?? [];
  const content = readFileSync(kept, "utf8");
  rmSync(dirname(kept), { recursive: true });
  return content;
}

const patches = async (emulator: Awaited<ReturnType<typeof setUpEditor>>["emulator"]) =>
  ((await emulator.control("GET", "/requests?limit=200")) as { method: string }[]).filter(
    ({ method }) => method === "PATCH",
  );

describe("voxctl edit", () => {
  test("`prompts edit` opens a prompt as Markdown and sends only the changes", async () => {
    const { run, opened } = await setUpEditor('printf "%s\\n" "Sei kurz." >> "$1"');
    const before = (await run("prompts", "get", "Empfang")).json;
    const edited = await run("prompts", "edit", "Empfang");
    expect(edited.code, edited.stderr).toBe(0);
    expect(opened()).toMatch(/^---\n# prompt [a-f0-9]{24};/);
    expect(opened()).toContain("name: Empfang\n---\n\n");
    expect(opened()).toContain(before.text);
    expect(edited.stderr).toMatch(/^\+Sei kurz\.$/m);
    expect(edited.stderr.match(/^[+-]/gm)).toHaveLength(1);
    expect(edited.json.text).toBe(`${before.text.replace(/\n$/, "")}\nSei kurz.`);
    expect(edited.json.name).toBe(before.name);
  });

  test("`edit` shows an added line but not the unchanged text", async () => {
    const { run } = await setUpEditor('printf "%s\\n" "Noch eine." >> "$1"');
    const edited = await run("knowledge", "edit", "Implantate", "--dry-run");
    expect(edited.stderr).toMatch(/^text:\n@@ .*\n( .*\n)?\+Noch eine\.$/m);
    expect(edited.stderr.match(/^[+-]/gm)).toHaveLength(1);
  });

  test("`edit` sends no request if nothing changed", async () => {
    const { run, emulator } = await setUpEditor("true");
    const edited = await run("prompts", "edit", "Empfang");
    expect([edited.code, edited.stdout]).toEqual([0, ""]);
    expect(edited.stderr).toContain("No changes were made");
    expect(await patches(emulator)).toEqual([]);
  });

  test("`edit` shows and sends only changed fields of an assistant or knowledge item", async () => {
    const untouched = await setUpEditor("true");
    for (const [noun, name] of [
      ["assistants", "Empfang"],
      ["knowledge", "Implantate"],
    ] as const) {
      const edited = await untouched.run(noun, "edit", name);
      expect([edited.code, edited.stdout]).toEqual([0, ""]);
      expect(edited.stderr).toContain("No changes were made");
    }
    expect(await patches(untouched.emulator)).toEqual([]);
    const { run } = await setUpEditor('sed -i "s/^company_name:.*/company_name: Neu GmbH/" "$1"');
    const edited = await run("assistants", "edit", "Empfang");
    const lines = edited.stderr.split("\n").filter((line) => /^[-+]/.test(line));
    expect(lines).toEqual([expect.stringMatching(/^-company_name: /), "+company_name: Neu GmbH"]);
  });

  test("`edit` reports each error once, with the field of the file and a suggestion", async () => {
    const wrong = await setUpEditor('sed -i "s/^language:.*/language:/" "$1"');
    const invalid = await wrong.run("assistants", "edit", "Empfang");
    expect(invalid.code).toBe(2);
    expect(invalid.stderr).toContain("the edited text is invalid: language: must be text\n");
    expect(invalid.stderr.match(/must be text/g)).toHaveLength(1);
    expect(invalid.stderr).not.toContain("--language");
    const mistyped = await setUpEditor('sed -i "s/^name:/nmae:/" "$1"');
    const refused = await mistyped.run("assistants", "edit", "Empfang");
    expect(refused.stderr).toContain("did you mean name? fields: name, language");
  });

  test("`assistants edit` accepts changed or removed fields, and names instead of IDs", async () => {
    const { run, opened } = await setUpEditor(
      'sed -i -e "s/^company_name:.*/company_name: Neu GmbH/" -e "/^introduction:/d" -e "s/^prompt_id:.*/prompt_id: Terminservice/" "$1"',
    );
    const prompts: { id: string; name: string }[] = (await run("prompts", "list")).json;
    const before = (await run("assistants", "get", "Empfang")).json;
    const edited = await run("assistants", "edit", "Empfang", "--dry-run");
    expect(opened()).not.toContain("pre_call_webhook");
    expect(opened()).not.toContain("phone_number");
    const promptId = prompts.find(({ name }) => name === "Terminservice")?.id;
    expect(edited.code, edited.stderr).toBe(promptId === undefined ? 4 : 0);
    if (promptId !== undefined)
      expect(edited.json[0].body).toEqual({ company_name: "Neu GmbH", prompt_id: promptId });
    expect((await run("assistants", "get", "Empfang")).json).toEqual(before);
  });

  test("`edit` keeps the edited file after a concurrent change (exit code 6)", async () => {
    const { runWith, emulator, home } = await setUpEditor('printf "x\\n" >> "$1"');
    const { json } = await runWith({}, "--profile", "offline", "prompts", "get", "Empfang");
    const url = `http://emulator.localhost/api/v1/prompts/${json.id}`;
    // Another user saves while the prompt is open.
    const confirm = async () => {
      const headers = {
        authorization: `Bearer ${emulator.startLine.keys.admin}`,
        "content-type": "application/json",
      };
      const body = JSON.stringify({ name: "Anders" });
      expect((await emulator.fetch(new Request(url, { method: "PATCH", headers, body }))).status).toBe(200);
      return true;
    };
    const edited = await runWith(
      {
        env: { EDITOR: `sh ${join(home, "editor.sh")}` },
        overrides: { ...connectedTo(emulator), prompts: { ...scriptPrompts(), confirm } },
      },
      ...["--profile", "offline", "prompts", "edit", json.id],
    );
    expect([edited.code, edited.stderr]).toEqual([
      6,
      expect.stringContaining("another user changed name since"),
    ]);
    const [, kept = ""] = /your text is in (\S+);/.exec(edited.stderr) ?? [];
    expect(readFileSync(kept, "utf8")).toContain("\nx\n");
    rmSync(dirname(kept), { recursive: true });
    expect((await patches(emulator)).length).toBe(1);
  });

  test("`edit` reports that its resource was deleted, and suggests no second edit", async () => {
    const { runWith, emulator, home } = await setUpEditor('printf "x\\n" >> "$1"');
    const run = (...argv: string[]) => runWith({}, "--profile", "offline", ...argv);
    const { json } = await run("prompts", "create", "--name", "Kurz", "--kind", "answering", "--text", "a");
    const confirm = async () => {
      const url = `http://emulator.localhost/api/v1/prompts/${json.id}`;
      const headers = { authorization: `Bearer ${emulator.startLine.keys.admin}` };
      expect((await emulator.fetch(new Request(url, { method: "DELETE", headers }))).status).toBe(200);
      return true;
    };
    const edited = await runWith(
      {
        env: { EDITOR: `sh ${join(home, "editor.sh")}` },
        overrides: { ...connectedTo(emulator), prompts: { ...scriptPrompts(), confirm } },
      },
      ...["--profile", "offline", "prompts", "edit", "Kurz"],
    );
    expect(edited.code).toBe(6);
    expect(edited.stderr).toContain("the prompt was deleted since you opened the editor; nothing was sent");
    expect(edited.stderr).not.toMatch(/prompts edit|profile/);
    keptFile(edited.stderr);
  });

  test("`edit --dry-run` refuses to empty a text, as without --dry-run", async () => {
    const { runWith, emulator, home } = await setUpEditor("");
    writeFileSync(join(home, "matter.md"), "---\nname: X\n---\n");
    const words = ["--profile", "offline", "prompts", "edit", "Empfang", "--from", "matter.md", "--dry-run"];
    const refused = await runWith({}, ...words);
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("text is empty")]);
    expect((await runWith({}, ...words, "--yes")).json[0].body).toEqual({ name: "X", text: "" });
    expect(await patches(emulator)).toEqual([]);
  });

  test("`edit` shows changes by other users before it asks for confirmation", async () => {
    const { runWith, emulator, home } = await setUpEditor("");
    const { json } = await runWith({}, "--profile", "offline", "prompts", "get", "Empfang");
    const { url } = await emulator.listen({ port: 0 });
    const headers = {
      authorization: `Bearer ${emulator.startLine.keys.admin}`,
      "content-type": "application/json",
    };
    const request = JSON.stringify({ method: "PATCH", headers, body: JSON.stringify({ name: "Anders" }) });
    const script = `import { appendFileSync } from "node:fs";
      await fetch("${url}/api/v1/prompts/${json.id}", ${request});
      appendFileSync(process.argv[2], "x\\n");`;
    writeFileSync(join(home, "editor.mjs"), script);
    const prompts = scriptPrompts();
    const edited = await runWith(
      {
        env: { EDITOR: `"${process.execPath}" ${join(home, "editor.mjs")}` },
        overrides: { ...connectedTo(emulator), prompts },
      },
      ...["--profile", "offline", "prompts", "edit", json.id],
    );
    expect([edited.code, edited.stderr]).toEqual([
      6,
      expect.stringContaining("another user changed name since"),
    ]);
    expect(prompts.messages).toEqual([]);
    keptFile(edited.stderr);
  });

  test("`edit` doesn't remove a prompt's text if the user only presses Enter", async () => {
    const { runWith, emulator, home } = await setUpEditor('sed -i "1,/^---/!{/^---/q;d}" "$1"');
    const questions: unknown[] = [];
    const confirm = async (question: object) => {
      questions.push(question);
      return false;
    };
    const edited = await runWith(
      {
        env: { EDITOR: `sh ${join(home, "editor.sh")}` },
        overrides: { ...connectedTo(emulator), prompts: { ...scriptPrompts(), confirm } },
      },
      ...["--profile", "offline", "prompts", "edit", "Empfang"],
    );
    expect(edited.code, edited.stderr).toBe(12);
    expect(questions).toEqual([{ message: "Update Empfang and remove its text?", default: false }]);
    keptFile(edited.stderr);
  });

  test("`edit` refuses invalid input before any request", async () => {
    const broken = await setUpEditor('sed -i "s/^name:.*/nmae: X/" "$1"');
    const refused = await broken.run("prompts", "edit", "Empfang");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('unknown field "nmae"')]);
    expect(await patches(broken.emulator)).toEqual([]);
    const again = await setUpEditor(
      'if [ -e "$HOME/once" ]; then sed -i "s/^name:.*/name: Neu/" "$1"; else touch "$HOME/once"; echo "name: [" > "$1"; fi',
      true,
      false,
    );
    const given = await again.run("prompts", "edit", "Empfang");
    expect(given.code).toBe(2);
  });

  test.each(["000000000000000000000000", "123456789012345678901234"])(
    "`edit` refuses an unquoted ID and names its field: %s",
    async (id) => {
      const { run, emulator } = await setUpEditor(
        `printf 'prompt_id: ${id}\\n' > "$1.new"; grep -v "^prompt_id:" "$1" >> "$1.new"; mv "$1.new" "$1"`,
      );
      const refused = await run("assistants", "edit", "Empfang");
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain("prompt_id: must be text: put the value in quotes");
      expect(keptFile(refused.stderr)).toContain(`prompt_id: ${id}`);
      expect(await patches(emulator)).toEqual([]);
    },
  );

  test("`edit` removes a prompt's text only after a confirmation or with --yes", async () => {
    const { run, emulator } = await setUpEditor(`sed -i '/^---$/,$!d' "$1"; sed -i '5,$d' "$1"`);
    const refused = await run("prompts", "edit", "Empfang");
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining("text is empty; nothing was sent"),
    ]);
    keptFile(refused.stderr);
    expect(await patches(emulator)).toEqual([]);
    const sent = await run("prompts", "edit", "Empfang", "--yes");
    expect([sent.code, sent.json.text]).toEqual([0, ""]);
  });

  test("`edit --from` resumes an unsent edit", async () => {
    const { run, home, emulator } = await setUpEditor(
      'printf "%s\\n" "Sei kurz." >> "$1"',
      ...[false, false, false],
    );
    const declined = await run("prompts", "edit", "Notdienst");
    const [, file = ""] = /--from ([^\s`]+)`/.exec(declined.stderr) ?? [];
    expect([declined.code, declined.stderr]).toEqual([
      12,
      expect.stringContaining("prompts edit Notdienst --from"),
    ]);
    const content = readFileSync(file, "utf8");
    rmSync(dirname(file), { recursive: true });
    writeFileSync(join(home, "left.md"), content);
    const asText = await run("prompts", "update", "Notdienst", "--text", "@left.md");
    expect([asText.code, asText.stderr]).toEqual([
      2,
      expect.stringContaining("was created by the edit command"),
    ]);
    const refused = await run("prompts", "edit", "Empfang", "--from", "left.md", "--yes");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("belongs to")]);
    expect(await patches(emulator)).toEqual([]);
    writeFileSync(join(home, "broken.md"), content.replace(/^name:/m, "nmae:"));
    const broken = await run("prompts", "edit", "Notdienst", "--from", "broken.md");
    expect(broken.stderr).toContain('unknown field "nmae"');
    expect(broken.stderr).toContain(
      "your text is in broken.md; to continue, run `voxctl prompts edit Notdienst --from broken.md`",
    );
    expect(broken.stderr).not.toContain("voxctl-edit-");
    writeFileSync(join(home, "twice.md"), content.replace(/^name:/m, "text: Kurz\nname:"));
    expect((await run("prompts", "edit", "Notdienst", "--from", "twice.md", "--yes")).stderr).toContain(
      "invalid field text: write this text in the body of the file",
    );
    const sent = await run("prompts", "edit", "Notdienst", "--from", "left.md", "--yes");
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.json.text).toMatch(/\nSei kurz\.$/);
  });

  test("`edit` suggests --wait if the editor returns at once on a terminal", async () => {
    const { run } = await setUpEditor("true", true);
    const { stderr } = await run("prompts", "edit", "Notdienst");
    expect(stderr).toContain("No changes were made");
    expect(stderr).toContain("code --wait");
  });

  test.each([
    ["nowhere/k.plan", "can't be written: its directory doesn't exist"],
    ["", 'invalid --plan ""'],
    [".", "--plan: . is a directory"],
  ])("`edit` refuses an unwritable plan file before it opens the editor: %j", async (plan, message) => {
    const { run, home } = await setUpEditor('echo more >> "$1"');
    const refused = await run("prompts", "edit", "Empfang", "--plan", plan);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(home, "opened"))).toBe(false);
  });

  test("`edit` asks for confirmation on a terminal, or saves a plan file with --plan", async () => {
    const declined = await setUpEditor('sed -i "s/^name:.*/name: Neu/" "$1"', false);
    expect((await declined.run("prompts", "edit", "Empfang")).code).toBe(12);
    expect(await patches(declined.emulator)).toEqual([]);
    const { run } = await setUpEditor('sed -i "s/^name:.*/name: Implantologie/" "$1"');
    const sealed = await run("knowledge", "edit", "Implantate", "--plan", "k.plan");
    expect(sealed.code, sealed.stderr).toBe(0);
    expect((await run("knowledge", "get", "Implantologie")).code).toBe(4);
    expect((await run("apply", "k.plan", "--yes")).code).toBe(0);
    expect((await run("knowledge", "get", "Implantologie")).code).toBe(0);
  });

  test("`edit` fails without an editor or a terminal", async () => {
    const none = await (await setUpEditor("true")).runWith(
      { env: { EDITOR: undefined, VISUAL: undefined } },
      ...["--profile", "offline", "prompts", "edit", "Empfang"],
    );
    expect([none.code, none.stderr]).toEqual([12, expect.stringContaining("VISUAL or EDITOR")]);
    const failed = await (await setUpEditor("exit 3")).run("prompts", "edit", "Empfang");
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("failed: exit code 3")]);
    const absent = await (await setUpEditor("true")).runWith(
      { env: { EDITOR: "true", VISUAL: "nosuch-editor --wait" } },
      ...["--profile", "offline", "prompts", "edit", "Empfang"],
    );
    expect([absent.code, absent.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: editor "nosuch-editor --wait" not found\nhint: set VISUAL to an installed editor/,
      ),
    ]);
  });
});

describe("the YAML of an edited assistant", () => {
  const long = `Guten Tag, ${"hier ist die digitale Assistentin der Praxis, ".repeat(5)}bitte.`;

  test("the YAML of an edited assistant has one line per field, even for long text", async () => {
    const { run, opened } = await setUpEditor('sed -i "/^introduction:/d" "$1"');
    const updated = await run(
      "assistants",
      "update",
      "Empfang",
      "--data",
      JSON.stringify({ introduction: long }),
    );
    expect(updated.code, updated.stderr).toBe(0);
    const edited = await run("assistants", "edit", "Empfang");
    expect(opened()).toContain(`\nintroduction: ${long}\n`);
    expect([edited.code, edited.stdout]).toEqual([0, ""]);
    expect(edited.stderr).toContain("No changes were made");
  });

  test.each([
    [
      "below a value",
      'sed -i "s/^company_name:.*/company_name: Neu\\n  Assistentin/" "$1"',
      '"company_name" above it',
    ],
    [
      "without its key",
      'sed -i "s/^company_name:.*/company_name:\\n  Assistentin/" "$1"',
      '"company_name" above it',
    ],
    [
      "between quotes",
      `sed -i "s/^company_name:.*/company_name: 'Neu\\n  A'/" "$1"`,
      '"company_name" above it',
    ],
  ])("an edit that adds a line %s is refused with the line number", async (_where, script, message) => {
    const { run, emulator } = await setUpEditor(script);
    const refused = await run("assistants", "edit", "Empfang");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(`would become part of ${message}`);
    const [, line = ""] = /line (\d+) would/.exec(refused.stderr) ?? [];
    expect(keptFile(refused.stderr).split("\n")[Number(line) - 1]).toMatch(/^ {2}A/);
    expect(await patches(emulator)).toEqual([]);
  });

  test("the line number of an error in Markdown counts from the start of the file", async () => {
    const { run } = await setUpEditor('sed -i "s/^name:.*/name: Neu\\n  Rest/" "$1"');
    const refused = await run("prompts", "edit", "Empfang");
    expect(refused.stderr).toContain('line 4 would become part of "name" above it');
    expect(keptFile(refused.stderr).split("\n")[3]).toBe("  Rest");
  });

  test.each([
    ["prompts", "Empfang"],
    ["knowledge", "Implantate"],
  ])("`edit` shows multi-line text of %s as a block", async (noun, name) => {
    const { run, opened } = await setUpEditor(
      'sed -i "s/^  Ende\\.$/  Ende.\\n  Neu eins.\\n  Neu zwei./" "$1"',
    );
    const text = `${long}\n\n${long}\nEnde.`;
    const updated = await run(noun, "update", name, "--data", JSON.stringify({ text }));
    expect(updated.code, updated.stderr).toBe(0);
    const edited = await run(noun, "edit", name, "--format", "yaml");
    expect(edited.code, edited.stderr).toBe(0);
    expect(opened()).toContain(`text: |-\n  ${long}\n\n  ${long}\n  Ende.\n`);
    expect((await run(noun, "get", name)).json.text).toBe(`${text}\nNeu eins.\nNeu zwei.`);
    const lines = edited.stderr.split("\n").filter((line) => /^[-+]/.test(line));
    expect(lines).toEqual(["+Neu eins.", "+Neu zwei."]);
  });
});

describe("line endings of an edited text", () => {
  const crlf = "Zeile 1\r\nZeile 2\r\n\r\nx";
  /** A file can't contain the last part: half of a surrogate pair. */
  const mixed = "Zeile 1\r\nZeile 2\nDrei\r\r\n\r\nVier \ud83d\r";

  test.each([
    ["prompts", "Empfang", crlf],
    ["prompts", "Empfang", mixed],
    ["knowledge", "Implantate", crlf],
    ["knowledge", "Implantate", mixed],
  ])("without saved changes, `edit` keeps the line endings of %s %s (%j)", async (noun, name, text) => {
    const { run, emulator } = await setUpEditor("true");
    await run(noun, "update", name, "--data", JSON.stringify({ text }));
    const before = await patches(emulator);
    for (const format of ["md", "yaml"]) {
      const edited = await run(noun, "edit", name, "--format", format);
      expect([edited.code, edited.stdout], edited.stderr).toEqual([0, ""]);
      expect(edited.stderr).toContain("No changes were made");
    }
    expect(await patches(emulator)).toEqual(before);
  });

  test.each([
    ["keeps them", crlf, "Zeile 1\r\nZeile zwo\r\nneu\r\n\r\nx"],
    ["saves CRLF", crlf, "Zeile 1\r\nZeile zwo\r\nneu\r\n\r\nx"],
    ["saves CRLF", crlf.replaceAll("\r", ""), "Zeile 1\nZeile zwo\nneu\n\nx"],
    ["keeps them", "a\r\nZeile 2\nb\r\nc", "a\r\nZeile zwo\nneu\nb\r\nc"],
    ["saves CRLF", "a\r\nZeile 2\nb\r\nc", "a\r\nZeile zwo\nneu\nb\r\nc"],
  ])("`edit` keeps line endings if the editor %s: %j", async (how, text, after) => {
    const saving = how === "saves CRLF" ? '; sed -i "s/$/\r/" "$1"' : "";
    const { run, opened } = await setUpEditor(`sed -i "s/^Zeile 2/Zeile zwo\\nneu/" "$1"${saving}`);
    await run("prompts", "update", "Empfang", "--data", JSON.stringify({ text }));
    const edited = await run("prompts", "edit", "Empfang");
    expect(edited.code, edited.stderr).toBe(0);
    expect(opened()).not.toContain("\r");
    expect((await run("prompts", "get", "Empfang")).json.text).toBe(after);
    const lines = edited.stderr.split("\n").filter((line) => /^[-+]/.test(line));
    expect(lines).toEqual(["-Zeile 2", "+Zeile zwo", "+neu"]);
  });
});

describe("the file of an edit", () => {
  test.each([
    ["prompts", "Empfang"],
    ["knowledge", "Implantate"],
    ["assistants", "Empfang"],
  ])("an edit of %s with invalid UTF-8 is refused", async (noun, name) => {
    const { run, emulator } = await setUpEditor('printf "# M\\374ller\\n" >> "$1"');
    const refused = await run(noun, "edit", name);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    const [, line = ""] = /invalid UTF-8 in line (\d+)/.exec(refused.stderr) ?? [];
    expect(keptFile(refused.stderr).split("\n")[Number(line) - 1]).toMatch(/^# M.*ller$/);
    expect(await patches(emulator)).toEqual([]);
  });

  test.each([
    ["does not change it and fails", "false", "failed"],
    ["deletes it", 'rm "$1"', "the file can't be read"],
    ["empties it", ': > "$1"', "the file is empty"],
  ])(
    "`edit` does not claim that it kept the edited file if the editor %s",
    async (_what, script, message) => {
      const { run, emulator } = await setUpEditor(script);
      const refused = await run("prompts", "edit", "Empfang");
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
      expect(refused.stderr).not.toContain("voxctl-edit-");
      expect(await patches(emulator)).toEqual([]);
    },
  );
});

describe("a failure after the editor has closed", () => {
  test("`edit` reports a field that refers to an unknown name, and lets the user correct it", async () => {
    const script = 'sed -i "s/^prompt_id:.*/prompt_id: Notdinst/" "$1"';
    const refused = await (await setUpEditor(script)).run("assistants", "edit", "Empfang");
    expect([refused.code, refused.stdout]).toEqual([4, ""]);
    expect(refused.stderr).toContain('prompt_id: no answering prompt is named "Notdinst"');
    expect(refused.stderr).not.toContain("--prompt:");
    expect(keptFile(refused.stderr)).toContain("prompt_id: Notdinst");
    const corrected = await setUpEditor(
      'if [ -e "$HOME/once" ]; then sed -i "s/^prompt_id:.*/prompt_id: Empfang/" "$1"; else touch "$HOME/once"; sed -i "s/^prompt_id:.*/prompt_id: Notdinst/" "$1"; fi',
      true,
    );
    const sent = await corrected.run("assistants", "edit", "Empfang", "--dry-run");
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stderr).toContain('prompt_id: no answering prompt is named "Notdinst"');
  });

  test("if the editor exits with code 1, `edit` keeps the file and names it in the error", async () => {
    const failed = await (await setUpEditor('echo "Rest" >> "$1"; exit 1')).run("prompts", "edit", "Empfang");
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("failed: exit code 1")]);
    expect(keptFile(failed.stderr)).toContain("\nRest\n");
  });

  test("`edit` keeps and names the edited file if writing the plan file or the request fails", async () => {
    const { run, home, emulator } = await setUpEditor(
      'rm -rf "$(dirname "$0")/plans"; sed -i "s/^name:.*/name: Neu/" "$1"',
    );
    mkdirSync(join(home, "plans"));
    const unwritable = await run("prompts", "edit", "Empfang", "--plan", join("plans", "k.plan"));
    expect([unwritable.code, unwritable.stderr]).toEqual([
      2,
      expect.stringContaining("its directory doesn't exist"),
    ]);
    expect(keptFile(unwritable.stderr)).toContain("name: Neu");
    expect(await patches(emulator)).toEqual([]);
    await emulator.control("POST", "/faults", {
      operation: "prompts.update",
      kind: "error_before",
      times: 9,
    });
    const failed = await run("prompts", "edit", "Empfang");
    expect(failed.code).not.toBe(0);
    expect(keptFile(failed.stderr)).toContain("name: Neu");
  });
});
