import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { findMissingPrograms } from "./programs.js";
import { openTerminal, type Terminal } from "./terminal.js";

const voxctl = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));
let missing: string | undefined;
beforeAll(() => {
  missing = findMissingPrograms("zsh", "fish", "script");
});

const listed = {
  "groups.list": [
    { id: "6b016f2722b109816a000002", name: "Patienten", type: "contacts" },
    { id: "6b016f2722b109816a000003", name: "Labore und Lieferanten", type: "contacts" },
    { id: "6b016f2722b109816a000007", name: "Büro: Nord (neu)", type: "contacts" },
    { id: "6b016f2722b109816a000008", name: "Büro: Süd", type: "contacts" },
    { id: "6b016f2722b109816a000004", name: "Praxiswissen", type: "knowledges" },
    { id: "6b016f2722b109816a000009", name: "Rabatt `touch PWNED` $(touch PWNED)", type: "contacts" },
    { id: "6b016f2722b109816a00000a", name: 'O\'Brien: "ja!" \\ nein', type: "contacts" },
    { id: "6b016f2722b109816a00000b", name: "Kunden *", type: "contacts" },
    { id: "6b016f2722b109816a00000c", name: "Zwei\nZeilen", type: "contacts" },
  ],
  "assistants.list": [{ id: "6b016f2722b109816a000005", name: "Empfang" }],
  "contacts.list": [{ id: "6b016f2722b109816a000006", name: "Anna Schmidt" }],
};

function home(shell: string, folder = temporaryFolder()) {
  const bin = join(folder, "bin");
  const typed = join(folder, "typed");
  mkdirSync(bin);
  // This fake `voxctl` records its arguments. Only `voxctl __complete` runs the real one.
  writeFileSync(
    join(bin, "voxctl"),
    `#!/bin/sh\n[ "$1" = __complete ] && exec "${process.execPath}" "${voxctl}" "$@"\nfor word in "$@"; do printf '%s\\n' "$word"; done > "${typed}.part"\nmv "${typed}.part" "${typed}"\n`,
  );
  chmodSync(join(bin, "voxctl"), 0o755);
  const env = {
    HOME: folder,
    PATH: [bin, process.env["PATH"] ?? ""].join(delimiter),
    TERM: "xterm",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
  };
  const data = join(folder, ".local/share/voxctl/completion");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "offline.json"), JSON.stringify(listed));
  mkdirSync(join(folder, ".config/voxctl"), { recursive: true });
  writeFileSync(
    join(folder, ".config/voxctl/config.json"),
    JSON.stringify({ profiles: { acme: {}, work: {} } }),
  );
  const installed = spawnSync(process.execPath, [voxctl, "completion", shell, "--install"], {
    env,
    encoding: "utf8",
  });
  expect(installed.status, installed.stderr).toBe(0);
  return { folder, env, typed };
}

/** Shells that stay open: each line is typed into the shell of the previous line. */
const terminals = new Map<string, Promise<Terminal>>();

/** Returns the arguments that voxctl received. */
async function typeInto(shell: "bash" | "zsh", keys: string): Promise<string[]> {
  const terminal = terminals.get(shell) ?? openTerminal(shell, homeWithFiles(shell));
  terminals.set(shell, terminal);
  try {
    return await (await terminal).type(keys);
  } catch (error) {
    // The next line needs a new shell, because this shell still has text on its line.
    terminals.delete(shell);
    await terminal.then(
      ({ kill }) => kill(),
      () => undefined,
    );
    throw error;
  }
}

const shared: string[] = [];
afterAll(async () => {
  for (const terminal of terminals.values()) await (await terminal).close();
  for (const folder of shared) rmSync(folder, { recursive: true, force: true });
});

function homeWithFiles(shell: string) {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-completion-"));
  shared.push(folder);
  const made = home(shell, folder);
  writeFileSync(join(made.folder, "kunden-liste.csv"), "");
  mkdirSync(join(made.folder, "ordner"));
  writeFileSync(join(made.folder, "ordner", "neue bestellung.yaml"), "");
  return made;
}

const lines: [string, string[]][] = [
  ["voxctl conta\tli\t--gro\tPat\t\r", ["contacts", "list", "--group", "Patienten"]],
  ["voxctl contacts list --group Lab\t\r", ["contacts", "list", "--group", "Labore und Lieferanten"]],
  ["voxctl contacts list --group=Lab\t\r", ["contacts", "list", "--group=Labore und Lieferanten"]],
  ["voxctl contacts list --group Labore\\ u\t\r", ["contacts", "list", "--group", "Labore und Lieferanten"]],
  ["voxctl knowledge list --group Pr\t\r", ["knowledge", "list", "--group", "Praxiswissen"]],
  ["voxctl --profile ac\tassist\tget Emp\t\r", ["--profile", "acme", "assistants", "get"]],
  ["voxctl assistants get Emp\t\r", ["assistants", "get", "Empfang"]],
  ["voxctl report us\t\r", ["report", "usage"]],
  ["voxctl emulator faults add drop_a\t\r", ["emulator", "faults", "add", "drop_after"]],
  ["voxctl rehearse -- contacts del\t\r", ["rehearse", "--", "contacts", "delete"]],
  ["voxctl contacts get 6b0\t\r", ["contacts", "get", "6b016f2722b109816a000006"]],
  ["voxctl -o nd\tgroups list --type kn\t\r", ["-o", "ndjson", "groups", "list", "--type", "knowledges"]],
];

/** Lines that complete a quoted name, or a name in several steps. */
const quotedLines: typeof lines = [
  ["voxctl contacts list --group 'Labore u\t\r", ["contacts", "list", "--group", "Labore und Lieferanten"]],
  ['voxctl contacts list --group "Lab\t\r', ["contacts", "list", "--group", "Labore und Lieferanten"]],
  ["voxctl contacts list --group B\tS\t\r", ["contacts", "list", "--group", "Büro: Süd"]],
  [
    "voxctl contacts list --group B\tN\t--all\r",
    ["contacts", "list", "--group", "Büro: Nord (neu)", "--all"],
  ],
  [
    "voxctl contacts list --group 'B\tN\t--all\r",
    ["contacts", "list", "--group", "Büro: Nord (neu)", "--all"],
  ],
];

/** Names from a service that contain shell syntax. */
const hostile = [
  ["Rab", "Rabatt `touch PWNED` $(touch PWNED)"],
  ["O", 'O\'Brien: "ja!" \\ nein'],
  ["Ku", "Kunden *"],
] as const;

describe.each(["bash", "zsh"] as const)("completion in %s", (shell) => {
  test.each(
    hostile.flatMap(([typed, name]) => ["", "'", '"'].map((quote) => [quote + typed, name] as const)),
  )("completion inserts a name as text that the shell does not run: %s", async (typed, name) => {
    expect(missing).toBeUndefined();
    const words = await typeInto(shell, `voxctl contacts list --group ${typed}\t--all\r`);
    expect(words).toEqual(["contacts", "list", "--group", name, "--all"]);
    expect(shared.filter((folder) => existsSync(join(folder, "PWNED")))).toEqual([]);
  });

  test.each([...lines, ...quotedLines])("the shell completes the typed line %j", async (keys, words) => {
    expect(missing).toBeUndefined();
    expect((await typeInto(shell, keys)).slice(0, words.length)).toEqual(words);
  });

  test.each([
    ["voxctl contacts import kund\t\r", "kunden-liste.csv"],
    ["voxctl calls test kund\t\r", "kunden-liste.csv"],
    ["voxctl calls test smoke.yaml --junit kund\t\r", "kunden-liste.csv"],
    ["voxctl orgs provision kund\t\r", "kunden-liste.csv"],
    ["voxctl contacts create --data @kund\t\r", "@kunden-liste.csv"],
    ["voxctl contacts create --data=@kund\t\r", "--data=@kunden-liste.csv"],
    ["voxctl contacts create --data @ord\tneu\t\r", "@ordner/neue bestellung.yaml"],
    ["voxctl contacts import --rejects kund\t\r", "kunden-liste.csv"],
    ["voxctl prompts update Empfang --text @kund\t\r", "@kunden-liste.csv"],
  ])("the shell completes a file name for a file argument: %j", async (keys, last) => {
    expect((await typeInto(shell, keys)).at(-1)).toBe(last);
  });
});

describe("completion in fish", () => {
  let made: ReturnType<typeof home>;
  beforeAll(() => {
    made = homeWithFiles("fish");
  });
  const complete = (line: string) => {
    const { env, folder } = made;
    const ran = spawnSync("fish", ["-c", `complete -C '${line}'`], { env, cwd: folder, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    return ran.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split("\t")[0]);
  };
  test.each([
    ["voxctl conta", ["contacts"]],
    ["voxctl contacts list --group Lab", ["Labore und Lieferanten"]],
    [
      "voxctl contacts list --group ",
      [
        ...["Patienten", "Labore und Lieferanten", "Büro: Nord (neu)", "Büro: Süd"],
        ...hostile.map(([, name]) => name),
      ],
    ],
    ["voxctl groups list --type=kn", ["--type=knowledges"]],
    ['voxctl contacts list --group "Lab', ["Labore und Lieferanten"]],
    ["voxctl contacts list --group Labore\\\\ u", ["Labore und Lieferanten"]],
    ["voxctl --profile ", ["acme", "work", "offline"]],
    ["voxctl report ", ["calls", "usage", "billing"]],
    ["voxctl rehearse -- contacts del", ["delete"]],
    ["voxctl contacts import kund", ["kunden-liste.csv"]],
    ["voxctl calls test kund", ["kunden-liste.csv"]],
    ["voxctl contacts create --data @kund", ["@kunden-liste.csv"]],
    ["voxctl contacts create --data=@kund", ["--data=@kunden-liste.csv"]],
  ])("fish completes the typed line %s", (line, values) => {
    expect(missing).toBeUndefined();
    expect(complete(line)).toEqual(values);
  });
});

test("a new bash session loads the installed completion", () => {
  const { env } = home("bash");
  const shell = spawnSync("bash", ["-ic", "complete -p voxctl"], { env, encoding: "utf8" });
  expect(shell.stdout).toContain("_voxctl voxctl");
});

test("installing the completion again leaves the start-up file unchanged", () => {
  const { folder, env } = home("zsh");
  const file = join(folder, ".zshrc");
  writeFileSync(file, `alias a=b\n${readFileSync(file, "utf8")}`);
  const before = readFileSync(file, "utf8");
  spawnSync(process.execPath, [voxctl, "completion", "--install"], { env: { ...env, SHELL: "/bin/zsh" } });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(before).toContain("# voxctl completion");
});
