import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { version } from "../../src/cli/session/version.js";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function demo(...replies: unknown[]) {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const prompts = replies.length > 0 ? { prompts: scriptPrompts(...replies) } : {};
  const shell = commandLine({
    env: { NO_COLOR: "1" },
    overrides: { ...connectedTo(emulator), ...prompts },
  });
  return { ...shell, run: (...argv: string[]) => shell.run("--profile", "offline", ...argv), shell };
}

describe("voxctl help", () => {
  test.each([[["contacts", "list", "--help"]], [["contacts", "--help"]]])(
    "the help of %s names the global flags in one line, with their help topic",
    async (argv) => {
      const { stdout } = await commandLine().run(...argv);
      expect(stdout).toContain(
        "Global flags: --profile, --output, --fields, --yes; see `voxctl help flags`\n",
      );
      expect(stdout).not.toContain("--real-time");
    },
  );

  test.each([undefined, 15, 30, 60, 80, 200])(
    "`voxctl`, `-h` and `help` print the same text at %s columns, with or without color",
    async (terminal) => {
      for (const env of [{ NO_COLOR: "1" }, { FORCE_COLOR: "1" }]) {
        const { run } = commandLine(terminal === undefined ? { env } : { env, terminal });
        const { stdout: byParser } = await run("--yes", "--help");
        expect(byParser).toMatch(/Usage:.* voxctl <command> <subcommand> \[flags\]\n/);
        for (const argv of [[], ["--help"], ["-h"], ["help"]])
          expect((await run(...argv)).stdout).toBe(byParser);
      }
    },
  );

  test("the root help fits in 45 lines of 80 columns", async () => {
    const { stdout } = await commandLine().run("--help");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("the root help names commands that list all commands and the help topics", async () => {
    const { run } = commandLine();
    expect((await run("--help")).stdout).toMatch(/`voxctl commands`[^`]*`voxctl help help`/);
    expect((await run("help", "exit-codes")).stdout).toContain("run `voxctl commands`");
    expect((await run("help", "help")).stdout).toContain("Topics: exit-codes, environment,");
  });

  test("`voxctl help all` lists commands with their summaries", async () => {
    const { stdout } = await commandLine().run("help", "all");
    expect(stdout).toMatch(/^ {2}voices +List the voices/m);
  });

  test("--json is an alias of --output json", async () => {
    const { run } = commandLine();
    expect((await run("version", "--json")).stdout).toBe((await run("version", "-o", "json")).stdout);
    expect(await run("version", "--json", "-o", "csv")).toMatchObject({ code: 2 });
  });

  test("`voxctl help COMMAND` prints the same help as --help", async () => {
    const { run } = commandLine();
    const { stdout } = await run("help");
    for (const flags of [["-o", "json"], ["--jq", "."], ["--plain"]])
      expect(await run("help", ...flags)).toMatchObject({ code: 0, stdout });
  });

  test("`help flags` prints every global flag that `commands -o json` lists", async () => {
    const { run } = commandLine();
    const { stdout } = await run("help", "flags");
    const { json } = await run("commands", "-o", "json");
    expect(json.global_flags.length).toBeGreaterThan(10);
    for (const { name } of json.global_flags) expect(stdout).toContain(`--${name}`);
  });

  test("the help of a command with its own --timeout names the global flag --global-timeout", async () => {
    const { stdout } = await commandLine().run("forwardings", "create", "--help");
    expect(stdout).toContain("--global-timeout");
  });

  test.each([
    [["exit-code"], "Exit codes\n"],
    [["exit", "codes"], "Exit codes\n"],
    [["exit"], "Exit codes\n"],
    [["Import"], "Imports\n"],
    [["env"], "Environment\n"],
    [["options"], "Flags of every command\n"],
  ])("`voxctl help` %s resolves to its topic", async (words, title) => {
    const { code, stdout } = await commandLine().run("help", ...words);
    expect(code).toBe(0);
    expect(stdout.startsWith(title)).toBe(true);
  });

  test.each([
    [["calls", "list", "--format", "csv"], "to choose the format, use -o json, yaml, ndjson or csv"],
    [["contacts", "show", "x"], "did you mean get?"],
    [["profiles", "create"], "did you mean add?"],
    [["knowledge", "upload", "x"], "did you mean import?"],
    [["contacts", "search", "x"], "did you mean list --search?"],
  ])(
    "the error for a command in another program's style suggests voxctl's command: %j",
    async (argv, hint) => {
      const { code, stderr } = await commandLine().run(...argv);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`hint: ${hint}`)]);
    },
  );

  test("help keeps the lines of an example unchanged at any width of the terminal", async () => {
    const { stdout } = await commandLine({ terminal: 60 }).run("calls", "test", "--help");
    const example = stdout.slice(stdout.indexOf("  defaults:"), stdout.indexOf("{NAME} and") - 1);
    expect(example.split("\n").every((line) => line === "" || line.startsWith("  "))).toBe(true);
    expect(example.split("\n").every((line) => line.length <= 80)).toBe(true);
  });

  test("the error for an unknown word suggests the nearest command", async () => {
    const { code, stderr } = await commandLine().run("help", "contact");
    expect(code).toBe(2);
    expect(stderr).toContain("did you mean contacts? topics: exit-codes,");
  });
});

describe("an unknown command", () => {
  test.each([
    [["list", "contacts"], "the resource comes first: did you mean contacts list?"],
    [["get", "contact", "Anna"], "the resource comes first: did you mean contacts get?"],
    [["show", "prompts", "--plain"], "the resource comes first: did you mean prompts get?"],
    [["contacts", "lst"], "did you mean list?\n"],
    [["test", "suite.yaml"], "did you mean calls test or webhook test?\n"],
    [["undo"], "did you mean runs undo?\n"],
    [["get"], "the resource comes first, as in `voxctl "],
    [["frobnicate"], "to list all commands, run `voxctl commands`\n"],
    [["contcats", "list"], "did you mean contacts?\n"],
    [["licenses", "update"], "to list the commands of licenses, run `voxctl licenses --help`\n"],
  ])("the error for the unknown command %s suggests the matching command", async (argv, hint) => {
    const { code, stderr } = await commandLine().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`hint: ${hint}`);
  });
});

describe("the former name of a command", () => {
  test.each([
    [["partners", "usage", "--from", "7d"], "`voxctl usage --v1`"],
    [["emulator", "keys", "revoke", "viewer"], "`voxctl emulator keys update KEY --status revoked`"],
    [["emulator", "clock", "advance", "1h"], "`voxctl emulator clock +DURATION`"],
    [["emulator", "status", "--memory"], "--db :memory:"],
    [["calls", "list", "--created-from", "7d"], "--from TIME"],
    [["glossary", "sync", "a.csv", "--protect-where", "term=a"], "--protect FILE"],
  ])("the former name %j causes a usage error that contains the new name", async (argv, replacement) => {
    const { code, stderr } = await commandLine().run(...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`hint: use ${replacement}`)]);
  });
});

describe("an unknown flag", () => {
  test.each([
    [["contacts", "create", "--phone", "+4930123"], "did you mean --phone-number?"],
    [["subject", "find", "--phone-number", "+4930123"], "did you mean --phone?"],
    [["subject", "find", "--phone-number=+4930123"], "did you mean --phone?"],
    [["contacts", "list", "--phone", "+4930123"], "to search, use --search TEXT or --search +49…"],
    [["calls", "list", "--since", "7d"], "did you mean --from?"],
    [["calls", "export", "--until=7d"], "did you mean --to?"],
    [["alias", "set", "all", "contacts", "list", "--all"], "quote the command line: "],
    [["contacts", "list", "--grup", "x"], "did you mean --group?"],
    [["contacts", "list", "--profil", "x"], "did you mean --profile?"],
    [["-v"], "for the version, use --version"],
    [["api", "-X", "GET", "/contacts"], "write the method as the first argument"],
    [["contacts", "list", "-n", "5"], "to limit a list, use --limit N"],
    [["contacts", "list", "-X"], "hint: for usage, run the same command with --help"],
    [["voices", "list", "--all"], "hint: this list always shows all rows"],
    [["profiles", "ls", "--limit", "5"], "hint: this list always shows all rows"],
    [["whoami"], "did you mean profiles show?"],
    [["ls"], "did you mean contacts list?"],
  ])("the error for an unknown flag or command has a specific hint: %s", async (argv, hint) => {
    const { code, stderr } = await commandLine().run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  test("an unknown flag gets no suggestion if no flag is similar", async () => {
    const { stderr } = await commandLine().run("contacts", "list", "--qwxyz");
    expect(stderr).toContain("unknown option '--qwxyz'");
    expect(stderr).not.toContain("did you mean");
  });
});

test("`voxctl version` prints the information for a bug report", async () => {
  const { run, runWith } = commandLine();
  expect((await run("version")).json).toMatchObject({ version, node: process.version.slice(1) });
  const { stdout } = await runWith({ terminal: 80 }, "version");
  expect(stdout).toBe(
    `voxctl ${version} (Node ${process.version.slice(1)}, ${process.platform} ${process.arch})\n`,
  );
});

describe("a flag that takes one value", () => {
  test.each([
    [
      ["contacts", "list", "--limit", "1", "--limit=2"],
      '--limit accepts one value, but was used with "1" and "2"',
    ],
    [["ping", "--profile", "offline", "--profile", "other"], "--profile accepts one value"],
  ])("a flag that takes one value is refused with two values: %j", async (argv, message) => {
    const { run } = await demo();
    const { code, stderr } = await run(...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a flag can be repeated with the same value", async () => {
    const { run } = await demo();
    expect((await run("contacts", "list", "--limit", "1", "--limit", "1")).json).toHaveLength(1);
    const { stdout } = await run("-o", "json", "contacts", "list", "-o", "csv", "--limit", "1");
    expect(stdout).toMatch(/^id,/);
    const last = await run(
      "contacts",
      "list",
      "-o",
      "csv",
      "--fields",
      "id",
      "-o",
      "json",
      "--fields",
      "emails",
    );
    expect(Object.keys(last.json[0])).toEqual(["emails"]);
  });
});

describe("an alias", () => {
  test("an alias inserts its arguments into its command line", async () => {
    const { run } = await demo();
    expect((await run("alias", "set", "some", "contacts list --limit $1 --fields first_name")).code).toBe(0);
    const { code, json } = await run("some", "2", "-o", "json");
    expect(code).toBe(0);
    expect(json).toHaveLength(2);
    expect(Object.keys(json[0])).toEqual(["first_name"]);
    expect((await run("alias", "list")).json).toEqual([
      { name: "some", command: "contacts list --limit $1 --fields first_name" },
    ]);
    const missing = await run("some");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("missing argument $1")]);
  });

  test("the error for a flag before an alias's arguments explains the correct order", async () => {
    const { run } = await demo();
    await run("alias", "set", "find", "contacts list --search $1");
    const wrong = await run("find", "--limit", "5", "Anna");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("alias find: expected the argument $1, but found the flag --limit"),
    ]);
    expect((await run("find", "Anna", "--limit", "5")).code).toBe(0);
  });

  test("the error for a flag before its command shows the correct position", async () => {
    const { code, stderr } = await commandLine().run("--dry-run", "contacts", "create");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--dry-run must follow the command")]);
    expect(stderr).toContain("hint: to move the flag, run `voxctl contacts create --dry-run`");
  });

  test("flags that the user types override the flags of an alias", async () => {
    const { shell } = await demo();
    const run = shell.run;
    await run("alias", "set", "some", "contacts list --profile offline --limit 2 -o csv --fields=first_name");
    expect((await run("some")).stdout.trim().split("\n")).toHaveLength(3);
    expect((await run("some", "--limit", "1", "-ojson")).json).toHaveLength(1);
    expect((await run("some", "--limit", "1", "-o=json")).json).toHaveLength(1);
    expect((await run("-o", "json", "some", "--fields", "id,emails")).json).toMatchObject([
      { emails: [] },
      { emails: [] },
    ]);
    await run("alias", "set", "first", "contacts list --profile offline --limit");
    expect((await run("first", "3", "-o", "json")).json).toHaveLength(3);
    expect((await run("some", "--limit", "1", "--limit", "2")).code).toBe(2);
  });

  test("`contacts help import` prints the same help as `contacts import --help`", async () => {
    const { run } = commandLine();
    for (const [typed, expected] of [
      [
        ["contacts", "help", "import"],
        ["contacts", "import", "--help"],
      ],
      [
        ["contacts", "help"],
        ["contacts", "--help"],
      ],
      [
        ["calls", "recording", "help", "download"],
        ["calls", "recording", "download", "--help"],
      ],
    ] as const) {
      const ran = await run(...typed);
      expect([ran.code, ran.stdout]).toEqual([0, (await run(...expected)).stdout]);
    }
  });

  test("the help for an alias is the help for its command", async () => {
    const { run } = commandLine();
    await run("alias", "set", "some", "contacts list --fields id");
    await run("alias", "set", "few", "contacts list --group Kunden --limit $1");
    const { stdout } = await run("contacts", "list", "--help");
    for (const argv of [
      ["help", "some"],
      ["some", "--help"],
      ["help", "few"],
      ["few", "--help"],
      ["few", "5", "-h"],
    ]) {
      const ran = await run(...argv);
      expect(ran.code).toBe(0);
      expect(ran.stdout).toMatch(
        /^(some is an alias for: voxctl contacts list --fields id|few is an alias for: .*\$1)\n\n/,
      );
      expect(ran.stdout.endsWith(stdout)).toBe(true);
    }
    expect((await run("help", "som")).code).toBe(2);
  });

  test("`alias set` prints the previous value if the alias exists", async () => {
    const { run } = commandLine();
    expect((await run("alias", "set", "some", "contacts list")).stderr).toBe("");
    expect((await run("alias", "set", "some", "groups list")).stderr).toBe(
      "Previous value of some: contacts list\n",
    );
    expect((await run("alias", "set", "some", "groups list")).stderr).toBe("");
  });

  test("`alias set` refuses a command line with unquoted flags", async () => {
    const { run } = commandLine();
    const refused = await run("alias", "set", "some", "contacts", "list", "--limit", "1");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("quote the command line")]);
    const added = await run("alias", "set", "some", "contacts", "list", "-o", "yaml");
    expect([added.code, added.stdout]).toEqual([0, "name: some\ncommand: contacts list\n"]);
    expect(added.stderr).toContain("voxctl alias set some 'contacts list …'");
    expect((await run("alias", "set", "other", "contacts list", "-o", "yaml")).stderr).toBe("");
    expect((await run("alias", "set", "more", "contacts", "list")).stderr).toBe("");
  });

  test.each([
    ["contacts list --grup $1", "unknown flag for `voxctl contacts list`: --grup", "did you mean --group?"],
    ["contacts list -o jsn", 'invalid --output "jsn": expected one of table, json', ""],
    ["contacts import x.csv --match phone -z", "unknown flag for `voxctl contacts import`: -z", ""],
    ['api /ping -H "Authorization: Bearer geheim"', "secret header Authorization", "voxctl profiles add"],
    ["contacts get Anna Weiß", "too many arguments for `voxctl contacts get`", "quote names with spaces"],
  ])("`alias set` checks its command line: %s", async (line, message, hint) => {
    const { run } = commandLine();
    const ran = await run("alias", "set", "some", line);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(ran.stderr).toContain(hint);
    expect((await run("alias", "list")).json).toEqual([]);
  });

  test.each([
    "contacts list --group $1 -ojson",
    "contacts list --search '-x' --limit",
    "contacts $1 Anna --any",
    "calls trigger --to=$1 --wait -yo $2",
    "api GET /contacts --query limit=$1 --no-color",
    "contacts",
  ])("`alias set` accepts a command line that requires further arguments: %s", async (line) => {
    expect((await commandLine().run("alias", "set", "some", line)).code).toBe(0);
  });

  test("an alias reports errors in the output format of its command line", async () => {
    const { run } = await demo();
    await run("alias", "set", "bad", "contacts list --limit 0 -o json");
    expect(JSON.parse((await run("bad")).stderr).error.code).toBe("usage");
  });

  test("an alias is suggested for a mistyped name", async () => {
    const { run } = commandLine();
    await run("alias", "set", "kunden", "contacts list");
    for (const argv of [["kundne"], ["kundne", "--limit", "3"]])
      expect((await run(...argv)).stderr).toContain("did you mean kunden?");
    expect((await run("contacts", "kundne")).stderr).not.toContain("kunden?");
  });

  test("`alias set` refuses an unknown command and the name of a command", async () => {
    const { run } = commandLine();
    expect((await run("alias", "set", "contacts", "calls list")).stderr).toContain("it is a voxctl command");
    expect((await run("alias", "set", "x1", "rm -rf /")).stderr).toContain(
      'invalid alias: "rm" is not a voxctl command',
    );
    expect((await run("alias", "set", "all", "contcats list")).stderr).toContain("did you mean contacts?");
    const verb = await run("alias", "set", "all", "contacts lits");
    expect([verb.code, verb.stderr]).toEqual([2, expect.stringContaining("did you mean list?")]);
    expect((await run("alias", "set", "any", "contacts $1 --all")).code).toBe(0);
    expect((await run("alias", "delete", "any")).code).toBe(0);
    const open = await run("alias", "set", "obrien", "contacts list --search O'Brien");
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("unclosed quote")]);
    await run("alias", "set", "all", "voxctl contacts list --all");
    expect((await run("alias", "delete", "al")).code).toBe(4);
    expect((await run("alias", "delete", "all")).json).toEqual({ name: "all", deleted: true });
    expect((await run("all")).code).toBe(2);
  });
});

describe("the parent of a resource", () => {
  test("`customers list` accepts the partner as its first argument or as --partner", async () => {
    const { run } = await demo();
    const byArgument = await run("customers", "list", "altstadt-edv");
    expect(byArgument.json.length).toBeGreaterThan(0);
    expect((await run("customers", "list", "--partner", "altstadt-edv")).json).toEqual(byArgument.json);
    const both = await run("customers", "list", "altstadt-edv", "--partner", "altstadt-edv");
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("conflicting values")]);
    const refusedList = await run("customers", "list", "x", "--partner", "y");
    expect(refusedList.stderr).toBe('error: conflicting values: <partner> "x" and --partner y\n');
    expect((await run("customers", "list")).stderr).toContain("missing argument: <partner>");
    expect((await run("customers", "list", "Altstadt EDV")).stderr).toContain(
      "hint: use an external ID from",
    );
  });

  test("`orgs list --tree` shows external IDs completely on a narrow terminal", async () => {
    const { shell } = await demo();
    const line = ["--profile", "offline", "orgs", "list", "--tree"];
    const { stdout } = await shell.runWith({ terminal: 30 }, ...line);
    expect(stdout).toContain("└─ blumen-petersen");
    expect(stdout).toContain("└─ autohaus-feddersen");
  });

  test("`orgs list --tree --parent` shows only the organizations of that MSP", async () => {
    const { run, shell } = await demo();
    const whole: { externalOrganizationId: string; customers: unknown[] }[] = (
      await run("orgs", "list", "--tree")
    ).json;
    const tree = await run("orgs", "list", "--tree", "--parent", "havel-it");
    expect(tree.json).toEqual(
      whole.filter(({ externalOrganizationId }) => externalOrganizationId === "havel-it"),
    );
    const drawn = await shell.runWith(
      { terminal: 120 },
      "--profile",
      "offline",
      ...["orgs", "list", "--tree", "--parent", "praxis-sommer"],
    );
    expect(drawn.stdout.split("\n")[1]).toMatch(/^praxis-sommer /);
    expect(drawn.stdout.trim().split("\n")).toHaveLength(2);
    expect((await run("orgs", "list", "--tree", "--parent", "nobody")).code).toBe(4);
  });
});

describe("profiles add", () => {
  test("`profiles add` detects the API from the URL if --api is not set", async () => {
    const { run } = commandLine({ env: { K: "k".repeat(43) } });
    const add = (...flags: string[]) => run("profiles", "add", "a", "--key-env", "K", "--no-check", ...flags);
    const added = await add("--url", "https://voice.example.com/api/distributor/v2");
    expect(added.stderr).toContain("API: distributor-v2 (detected from the URL)");
    expect(Object.keys(added.json.apis)).toEqual(["distributor-v2"]);
    expect(Object.keys((await add("--url", "https://voice.example.com/api/v1")).json.apis)).toEqual([
      "public",
      "distributor-v2",
    ]);
    expect((await add("--url", "https://voice.example.com")).stderr).toContain("cannot detect the API");
    expect((await add("--api", "public", "--url", "https://voice.example.com/api/distributor/v1")).code).toBe(
      2,
    );
  });

  test("if the URL identifies no API, `profiles add` asks for the API", async () => {
    const scriptedPrompts = scriptPrompts(
      "https://voice.example.com/api/distributor/v1",
      false,
      "k".repeat(43),
      true,
    );
    const { runWith } = commandLine();
    await runWith(
      { overrides: { prompts: scriptedPrompts } },
      "profiles",
      "add",
      "a",
      "--no-check",
      "--no-keychain",
    );
    expect(scriptedPrompts.messages.join(" ")).not.toContain("API:");
    const unscoped = scriptPrompts("https://voice.example.com", "public", false, "k".repeat(43), true);
    const { stdout } = await runWith(
      { overrides: { prompts: unscoped } },
      ...["profiles", "add", "b", "--no-check", "--no-keychain"],
    );
    expect(unscoped.messages).toContain("API:");
    expect(JSON.parse(stdout).apis.public.url).toBe("https://voice.example.com/api/v1");
  });

  test("`profiles add` asks for a missing name on a terminal, but fails in a script", async () => {
    const { run, runWith } = commandLine();
    const prompts = scriptPrompts("probe");
    const added = await runWith({ overrides: { prompts } }, "profiles", "add", "--offline");
    expect(added.json).toMatchObject({ name: "probe", type: "offline" });
    const script = await run("profiles", "add", "--offline");
    expect([script.code, script.stderr]).toEqual([2, expect.stringContaining("missing argument: <name>")]);
  });
});

test("`assistants create` offers the organization's language first", async () => {
  const createAssistant = async (replies: string[]) => {
    const { run } = await demo(...replies, true);
    return run(
      ...["assistants", "create", "--name", "Neu", "--voice", "Clara", "--company-name", "X"],
      ...["--company-industry", "Y", "--introduction", "Hallo"],
    );
  };
  expect((await createAssistant(["de"])).json.language).toBe("de");
  expect((await createAssistant(["another", "gsw"])).json.language).toBe("gsw");
  expect((await createAssistant(["another", "Deutsch"])).json.language).toBe("de");
  expect((await createAssistant(["another", "french"])).json.language).toBe("fr");
});

test("voxctl sends a language's name unchanged and prints a warning", async () => {
  const { run } = await demo();
  const named = await run("assistants", "update", "Empfang", "--language", "Deutsch");
  expect([named.json.language, named.stderr]).toEqual([
    "Deutsch",
    expect.stringContaining('warning: language: "Deutsch" is sent unchanged; the usual value is "de"'),
  ]);
  expect((await run("assistants", "update", "Empfang", "--language", "DE")).stderr).toContain(
    'language: "DE" is sent unchanged; the usual value is "de"',
  );
  expect((await run("assistants", "update", "Empfang", "--language", "gsw")).stderr).not.toContain(
    "language",
  );
});

describe("a profile's defaults", () => {
  const csv = "Vorname,Telefon\nAnna,030 23181234\n";

  test("a command reports that it uses the profile's country or group", async () => {
    const { shell, home } = await demo();
    writeFileSync(join(home, "k.csv"), csv);
    const run = (...argv: string[]) => shell.run(...argv, "--profile", "acme");
    await shell.run("profiles", "add", "acme", "--offline");
    const set = await shell.run("profiles", "set", "acme", "country=de", "group=Patienten");
    expect(set.json.defaults).toEqual({ country: "DE", group: "Patienten" });
    const imported = await run("contacts", "import", "k.csv", "--dry-run");
    expect(imported.code, imported.stderr).toBe(0);
    expect(imported.stderr).toContain('Using --country DE, the default of profile "acme".');
    expect(imported.stderr).toContain('Using --group Patienten, the default of profile "acme".');
    const explicitGroup = await run(
      "contacts",
      "import",
      "k.csv",
      "--dry-run",
      "--group",
      "Labore und Lieferanten",
    );
    expect(explicitGroup.stderr).not.toContain("--group");
    const created = await run("contacts", "create", "--first-name", "Anna", "--dry-run");
    expect(created.json[0].body.group_id).toMatch(/^[a-f0-9]{24}$/);
    await shell.run("profiles", "set", "acme", "group=");
    expect((await shell.run("profiles", "show", "acme")).json.defaults).toEqual({ country: "DE" });
    expect((await run("contacts", "import", "k.csv", "--dry-run")).stderr).toContain(
      "missing required flag: --group",
    );
  });

  test("the prompt for a new contact's group offers the profile's group first", async () => {
    const { shell } = await demo();
    await shell.run("profiles", "add", "praxis", "--offline");
    await shell.run("profiles", "set", "praxis", "group=Überweiser");
    const prompts = scriptPrompts();
    let offered: readonly unknown[] = [];
    const choose: typeof prompts.choose = async ({ choices, isFirstDefault }) => {
      offered = [isFirstDefault, ...choices.map(({ name }) => name)];
      throw new Error("enough");
    };
    const overrides = {
      ...connectedTo(await openSeededEmulator({ seed: "demo" })),
      prompts: { ...prompts, choose },
    };
    await shell.runWith({ overrides }, "contacts", "create", "--profile", "praxis");
    expect(offered.slice(0, 2)).toEqual([true, "Überweiser"]);
    expect(offered).toContain("Patienten");
  });

  test("a sync ignores the profile's default group and requires the flag --group", async () => {
    const { shell, home } = await demo();
    writeFileSync(join(home, "k.csv"), csv);
    await shell.run("profiles", "add", "acme", "--offline");
    await shell.run("profiles", "set", "acme", "group=Patienten");
    const { code, stderr } = await shell.run("contacts", "sync", "k.csv", "--profile", "acme", "--dry-run");
    expect([code, stderr]).toEqual([2, expect.stringContaining("--group")]);
  });

  test("a profile's default output format applies on a terminal, but not in scripts", async () => {
    const { shell } = await demo();
    await shell.run("profiles", "add", "acme", "--offline");
    await shell.run("profiles", "set", "acme", "output=ndjson");
    const list = ["groups", "list", "--profile", "acme", "--limit", "1"];
    expect((await shell.runWith({ terminal: 80 }, ...list)).stdout).toMatch(/^\{"id"/);
    expect((await shell.run(...list)).json).toHaveLength(1);
    expect((await shell.runWith({ terminal: 80 }, ...list, "-o", "csv")).stdout).toMatch(/^id,/);
  });

  test("the error for an invalid default of a profile names the default", async () => {
    const { run } = commandLine();
    await run("profiles", "add", "acme", "--offline");
    const setField = async (pair: string) => (await run("profiles", "set", "acme", pair)).stderr;
    expect(await setField("contry=DE")).toContain("did you mean country?");
    expect(await setField("country=Germany")).toContain("expected a code such as DE");
    expect(await setField("country=XX")).toContain('invalid country "XX"');
    expect(await setField("output=xml")).toContain("expected table, json");
  });

  test("an error for an invalid stored country names the profile", async () => {
    const { shell, home } = await demo();
    writeFileSync(join(home, "k.csv"), csv);
    await shell.run("profiles", "add", "acme", "--offline");
    await shell.run("profiles", "set", "acme", "country=DE");
    const [file = ""] = readdirSync(join(home, "config")).filter((name) => /^config\./.test(name));
    const path = join(home, "config", file);
    writeFileSync(path, readFileSync(path, "utf8").replace('"DE"', '"XX"'));
    for (const argv of [
      ["contacts", "get", "0171 1234567"],
      ["contacts", "import", "k.csv", "--group", "Patienten", "--dry-run"],
    ]) {
      const refused = await shell.run(...argv, "--profile", "acme");
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('profile "acme" has an invalid default: country=XX'),
      ]);
      expect(refused.stderr).toContain("voxctl profiles set acme country=DE");
    }
  });

  test("the built-in offline profile can have defaults", async () => {
    const { shell } = await demo();
    const { run, runWith } = shell;
    await run("profiles", "set", "offline", "country=AT", "output=yaml");
    expect((await run("profiles", "show", "offline")).json.defaults).toEqual({
      country: "AT",
      output: "yaml",
    });
    expect((await runWith({ terminal: 80 }, "groups", "list")).stdout).toMatch(/^- id: /);
    await run("profiles", "set", "offline", "output=", "country=");
    expect((await run("profiles", "show", "offline")).json.defaults).toBeUndefined();
  });
});

describe("shared profiles", () => {
  test("`profiles export` writes no keys", async () => {
    const mine = commandLine({ env: { A: "secret-of-mine-1234" } });
    const url = "https://voice.example.com/api/v1";
    await mine.run("profiles", "add", "acme", "--url", url, "--key-env", "A", "--no-check", "--production");
    const two = "https://voice.example.com/api/distributor/v2";
    await mine.runWith(
      { stdin: "another-secret-5678" },
      ...["profiles", "add", "acme", "--url", two, "--key-stdin", "--no-check", "--expires", "2027-01-31"],
    );
    await mine.run("profiles", "set", "acme", "country=AT");
    await mine.run("profiles", "add", "practice", "--offline");
    await mine.run("profiles", "set", "practice", "country=CH");
    const { stdout } = await mine.run("profiles", "export");
    expect(stdout).not.toMatch(/secret/);
    const theirs = commandLine();
    writeFileSync(join(theirs.home, "team.yaml"), stdout);
    expect((await theirs.run("profiles", "import", "team.yaml")).code).toBe(12);
    const imported = await theirs.run("profiles", "import", "team.yaml", "--yes");
    expect(imported.code, imported.stderr).toBe(0);
    expect(imported.stderr).toContain(`public at ${url}, with the key in A`);
    expect(imported.json).toMatchObject([
      {
        name: "acme",
        production: true,
        defaults: { country: "AT" },
        apis: {
          public: { url, key: "environment A" },
          "distributor-v2": { url: two, key: "environment ACME_DISTRIBUTOR_V2_KEY", expires: "2027-01-31" },
        },
      },
      { name: "practice", type: "offline", defaults: { country: "CH" } },
    ]);
    expect(imported.stderr).toContain("To set the default, run `voxctl profiles use NAME`.");
    const alone = commandLine();
    writeFileSync(join(alone.home, "team.yaml"), stdout);
    const first = await alone.run("profiles", "import", "team.yaml", "acme", "--yes");
    expect(first.stderr).toContain("acme is now the default");
    expect(first.json).toMatchObject([{ name: "acme", default: true }]);
    const again = await theirs.run("profiles", "import", "team.yaml", "--yes");
    expect([again.code, again.json]).toEqual([0, []]);
    expect(again.stderr).toContain("skipped acme: the profile already exists");
  });

  test("`profiles import` refuses invalid files and URLs that would send a key unencrypted", async () => {
    const { runWith, run } = commandLine();
    const read = (text: string) => runWith({ stdin: text }, "profiles", "import", "-", "--yes");
    for (const empty of ["", "# none\n"])
      expect((await read(empty)).stderr).toContain("is empty: no profiles were added");
    expect((await read("profiles: {}")).stderr).toContain("expected a file from `voxctl profiles export`");
    const plain =
      "voxctl_profiles: 1\nprofiles: {a: {kind: remote, surfaces: {public: {url: 'http://h.example/api/v1'}}}}";
    expect((await read(plain)).stderr).toContain("would send the key unencrypted");
    for (const [country, message] of [
      ["Deutschland", "expected a country code such as DE"],
      ["XX", 'standard input: invalid default country "XX" for profile "a"'],
    ] as const) {
      const strange = `voxctl_profiles: 1\nprofiles: {a: {kind: offline, defaults: {country: ${country}}}}`;
      const { code, stderr } = await read(strange);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect((await run("profiles", "list")).json).toHaveLength(1);
  });
});

test("the variable BROWSER can contain a program and its flags", async () => {
  const { run, runWith } = commandLine({ env: { A: "k".repeat(43) } });
  const url = "https://voice.example.com/api/v1";
  await run("profiles", "add", "acme", "--url", url, "--key-env", "A", "--no-check");
  const opened = (program: string) =>
    runWith(
      { env: { BROWSER: `"${program}" --version` }, overrides: { prompts: scriptPrompts() } },
      ...["open", "documentation", "--profile", "acme"],
    );
  expect(await opened(process.execPath)).toMatchObject({ code: 0, stdout: `${url}/docs\n`, stderr: "" });
  expect((await opened("no-such-browser")).stderr).toContain("no browser found");
});

test("`open documentation` opens the pages of the emulator that --port or --db selects", async () => {
  const { run } = commandLine({ env: { A: "k".repeat(43) } });
  const url = "https://voice.example.com/api/v1";
  await run("profiles", "add", "acme", "--url", url, "--key-env", "A", "--no-check");
  for (const flag of ["--port=1", "--db=none.db"])
    expect(await run("open", "documentation", "--profile", "acme", flag)).toMatchObject({
      code: 4,
      stdout: "",
    });
});

test("the error of `profiles export FILE` shows how to write the profiles to a file", async () => {
  const ran = await commandLine().run("profiles", "export", "team.yaml");
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining("to write the profiles to a file, run `voxctl profiles export > team.yaml`"),
  ]);
  const embedded = await commandLine().run("profiles", "export", "offline");
  expect([embedded.code, embedded.stderr]).toEqual([
    2,
    expect.stringContaining("it exists on every machine"),
  ]);
});

test("Tab completes the defaults that a profile can have", async () => {
  const { run } = commandLine();
  const offered = (await run("__complete", "bash", "voxctl profiles set offline ")).stdout.split("\n");
  expect(offered).toEqual(expect.arrayContaining(["country=", "group=", "output=yaml"]));
  expect(
    (await run("__complete", "zsh", "voxctl", "profiles", "set", "offline", "country=DE", "g")).stdout,
  ).toBe("group=\t\n");
  expect((await run("__complete", "zsh", "voxctl", "profiles", "set", "off")).stdout).toMatch(/^offline\t/);
});

test("Tab completes aliases and their commands", async () => {
  const { run } = commandLine();
  await run("alias", "set", "kunden", "contacts list --group Kunden");
  expect((await run("__complete", "bash", "voxctl kun")).stdout).toBe("kunden\n");
  expect((await run("__complete", "bash", "voxctl kunden --al")).stdout).toBe("--all\n");
  expect((await run("__complete", "bash", "voxctl alias delete k")).stdout).toBe("kunden\n");
});
