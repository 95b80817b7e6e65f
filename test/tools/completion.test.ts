import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { missingPrograms } from "./programs.js";

const voxctl = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));
let missing: string | undefined;
beforeAll(() => {
  missing = missingPrograms("zsh", "fish", "script");
});

const listed = {
  "groups.list": [
    { id: "6b016f2722b109816a000002", name: "Patienten", type: "contacts" },
    { id: "6b016f2722b109816a000003", name: "Labore und Lieferanten", type: "contacts" },
    { id: "6b016f2722b109816a000007", name: "Büro: Nord (neu)", type: "contacts" },
    { id: "6b016f2722b109816a000008", name: "Büro: Süd", type: "contacts" },
    { id: "6b016f2722b109816a000004", name: "Praxiswissen", type: "knowledges" },
  ],
  "assistants.list": [{ id: "6b016f2722b109816a000005", name: "Empfang" }],
  "contacts.list": [{ id: "6b016f2722b109816a000006", name: "Anna Schmidt" }],
};

/** A person's home with completion installed for a shell, profiles, and lists that were seen. */
function home(shell: string) {
  const folder = temporaryFolder();
  const bin = join(folder, "bin");
  const typed = join(folder, "typed");
  mkdirSync(bin);
  // The command of a completed line is kept instead of run.
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
  const installed = spawnSync(process.execPath, [voxctl, "completion", "install", "--shell", shell], {
    env,
    encoding: "utf8",
  });
  expect(installed.status, installed.stderr).toBe(0);
  return { folder, env, typed };
}

/** Types keys into an interactive shell on a terminal; answers the words that voxctl was run with. */
async function typeInto(shell: "bash" | "zsh", keys: string): Promise<string[]> {
  const { folder, env, typed } = home(shell);
  if (shell === "bash")
    writeFileSync(join(folder, ".bashrc"), ". /usr/share/bash-completion/bash_completion\nPS1='READY> '\n");
  else
    writeFileSync(join(folder, ".zshrc"), `PS1='READY> '\n${readFileSync(join(folder, ".zshrc"), "utf8")}`);
  writeFileSync(join(folder, "kunden-liste.csv"), "");
  mkdirSync(join(folder, "ordner"));
  writeFileSync(join(folder, "ordner", "neue bestellung.yaml"), "");
  const child = spawn("script", ["-qec", shell === "bash" ? "bash -i" : "zsh -i", "/dev/null"], {
    cwd: folder,
    env,
  });
  let screen = "";
  const until = (done: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => finish(new Error(`waited in vain; the screen:\n${screen}`)), 30_000);
      const look = setInterval(() => done() && finish(), 20);
      const finish = (error?: Error) => {
        clearTimeout(timer);
        clearInterval(look);
        if (error) reject(error);
        else resolve();
      };
    });
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString("utf8");
  });
  try {
    await until(() => screen.includes("READY> "));
    child.stdin.write(keys);
    await until(() => existsSync(typed));
    return readFileSync(typed, "utf8").trimEnd().split("\n");
  } finally {
    const closed = once(child, "close");
    child.stdin.end("exit\r");
    await closed;
  }
}

const lines: [string, string[]][] = [
  ["voxctl conta\tli\t--gro\tPat\t\r", ["contacts", "list", "--group", "Patienten"]],
  ["voxctl contacts list --group Lab\t\r", ["contacts", "list", "--group", "Labore und Lieferanten"]],
  ["voxctl contacts list --group=Lab\t\r", ["contacts", "list", "--group=Labore und Lieferanten"]],
  ["voxctl contacts list --group Labore\\ u\t\r", ["contacts", "list", "--group", "Labore und Lieferanten"]],
  ["voxctl knowledge list --group Pr\t\r", ["knowledge", "list", "--group", "Praxiswissen"]],
  ["voxctl --profile ac\tassist\tget Emp\t\r", ["--profile", "acme", "assistants", "get"]],
  ["voxctl assistants get Emp\t\r", ["assistants", "get", "Empfang"]],
  ["voxctl contacts get 6b0\t\r", ["contacts", "get", "6b016f2722b109816a000006"]],
  ["voxctl -o nd\tgroups list --type kn\t\r", ["-o", "ndjson", "groups", "list", "--type", "knowledges"]],
];

/** A name in an open quote: zsh has a way of its own with those, which completion leaves alone. */
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

test.each(quotedLines)(
  "bash, with names that share a beginning or stand in quotes: %j",
  async (keys, words) => {
    expect(missing).toBeUndefined();
    expect((await typeInto("bash", keys)).slice(0, words.length)).toEqual(words);
  },
);

describe.each(["bash", "zsh"] as const)("%s", (shell) => {
  test.each(lines)("%j", async (keys, words) => {
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
    ["voxctl calls trigger --details-file kund\t\r", "kunden-liste.csv"],
    ["voxctl prompts update Empfang --text @kund\t\r", "@kunden-liste.csv"],
  ])("a file's name where a file is wanted: %j", async (keys, last) => {
    expect((await typeInto(shell, keys)).at(-1)).toBe(last);
  });
});

describe("fish", () => {
  const complete = (line: string) => {
    const { env, folder } = home("fish");
    writeFileSync(join(folder, "kunden-liste.csv"), "");
    const ran = spawnSync("fish", ["-c", `complete -C '${line}'`], { env, cwd: folder, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    return ran.stdout
      .split("\n")
      .filter((one) => one !== "")
      .map((one) => one.split("\t")[0]);
  };
  test.each([
    ["voxctl conta", ["contacts"]],
    ["voxctl contacts list --group Lab", ["Labore und Lieferanten"]],
    [
      "voxctl contacts list --group ",
      ["Patienten", "Labore und Lieferanten", "Büro: Nord (neu)", "Büro: Süd"],
    ],
    ["voxctl groups list --type=kn", ["--type=knowledges"]],
    ["voxctl --profile ", ["acme", "work", "offline"]],
    ["voxctl contacts import kund", ["kunden-liste.csv"]],
    ["voxctl calls test kund", ["kunden-liste.csv"]],
    ["voxctl contacts create --data @kund", ["@kunden-liste.csv"]],
    ["voxctl contacts create --data=@kund", ["--data=@kunden-liste.csv"]],
  ])("%s", (line, values) => {
    expect(missing).toBeUndefined();
    expect(complete(line)).toEqual(values);
  });
});

test("installing again changes nothing, and the start-up file keeps what was in it", () => {
  const { folder, env } = home("zsh");
  const file = join(folder, ".zshrc");
  writeFileSync(file, `alias a=b\n${readFileSync(file, "utf8")}`);
  const before = readFileSync(file, "utf8");
  spawnSync(process.execPath, [voxctl, "completion", "install"], { env: { ...env, SHELL: "/bin/zsh" } });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(before).toContain("# voxctl completion");
});

test("a Tab takes at most twice as long as bare node", () => {
  const { env } = home("bash");
  const milliseconds = (parameters: string[]) => {
    const begun = process.hrtime.bigint();
    expect(spawnSync(process.execPath, parameters, { env }).status).toBe(0);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
  const tab = [voxctl, "__complete", "zsh", "voxctl", "contacts", "list", "--group", ""];
  milliseconds(tab);
  const ratios = Array.from({ length: 15 }, () => {
    const bare = milliseconds(["-e", "0"]);
    return milliseconds(tab) / bare;
  }).sort((one, other) => one - other);
  expect(ratios[7]).toBeLessThan(2);
});
