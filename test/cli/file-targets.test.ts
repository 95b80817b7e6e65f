import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { resolveFileTarget } from "../../src/base/file-target.js";
import { openResultFile, writeResultFile } from "../../src/cli/output/result-file.js";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { createInstalledCli } from "../helpers/installed-cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function practice() {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const offline = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const fifo = (name: string) => {
    execFileSync("mkfifo", [join(shell.home, name)]);
    return join(shell.home, name);
  };
  return { ...shell, emulator, offline, fifo };
}

const header = "first_name,last_name,phone_numbers,emails\n";
const suite = `
scenarios:
  - { name: one, assistant: Terminservice, to: "+4915112345678", offline: { duration: 45s } }
`;

describe("special files as targets", () => {
  test("with --force, an export to a symbolic link writes to the link's target", async () => {
    const { offline, home } = await practice();
    writeFileSync(join(home, "real.csv"), "old");
    symlinkSync("real.csv", join(home, "link.csv"));
    expect((await offline("contacts", "export", "link.csv")).code).toBe(12);
    expect((await offline("contacts", "export", "link.csv", "--force")).code).toBe(0);
    expect(lstatSync(join(home, "link.csv")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, "real.csv"), "utf8").startsWith(header)).toBe(true);
  });

  test.each(["contacts", "glossary"])(
    "%s export replaces a dangling symbolic link only with --force",
    async (resource) => {
      const { offline, home } = await practice();
      symlinkSync("nowhere.csv", join(home, "dangling.csv"));
      const refused = await offline(resource, "export", "dangling.csv");
      expect([refused.code, refused.stderr]).toEqual([
        12,
        expect.stringContaining("dangling.csv is a symbolic link to a file that doesn't exist"),
      ]);
      expect((await offline(resource, "export", "dangling.csv", "--force")).code).toBe(0);
      expect(lstatSync(join(home, "dangling.csv")).isFile()).toBe(true);
      expect(readdirSync(home)).not.toContain("nowhere.csv");
    },
  );

  test("an export keeps an existing file that has the name of its temporary file", async () => {
    const { offline, home } = await practice();
    writeFileSync(join(home, "c.csv.part"), "mine");
    expect((await offline("contacts", "export", "c.csv")).code).toBe(0);
    expect(readFileSync(join(home, "c.csv"), "utf8").startsWith(header)).toBe(true);
    expect(readFileSync(join(home, "c.csv.part"), "utf8")).toBe("mine");
    expect(readdirSync(home).filter((name) => name.startsWith("c.csv"))).toEqual(["c.csv", "c.csv.part"]);
  });

  // Only Linux has /dev/full, and shows in /proc where a process waits.
  test.skipIf(process.platform !== "linux")(
    "an export writes to a device and does not replace it",
    async () => {
      const { offline } = await practice();
      expect(await offline("contacts", "export", "/dev/null", "--force")).toMatchObject({
        code: 0,
        stdout: "",
      });
      const full = await offline("contacts", "export", "/dev/full", "--force");
      expect(full.code).toBe(9);
      expect(full.stderr).toContain("no space left on the disk");
      for (const device of ["/dev/null", "/dev/full"])
        expect(statSync(device).isCharacterDevice()).toBe(true);
    },
  );

  // Windows has no FIFOs.
  test.skipIf(process.platform === "win32")("an export writes to a FIFO without --force", async () => {
    const { offline, fifo } = await practice();
    const pipe = fifo("pipe");
    const [read, { code }] = await Promise.all([
      readFile(pipe, "utf8"),
      offline("contacts", "export", "pipe"),
    ]);
    expect(code).toBe(0);
    expect(read.startsWith(header)).toBe(true);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  // Windows has no FIFOs.
  test.skipIf(process.platform === "win32")("a signal ends the wait for a reader of a FIFO", async () => {
    const { runWith, fifo } = await practice();
    fifo("pipe");
    let io: TestIo | undefined;
    const ended = runWith(
      {
        before: (testIo) => {
          io = testIo;
        },
      },
      "contacts",
      "export",
      "pipe",
      "--profile",
      "offline",
    );
    setImmediate(() => io?.signal("SIGINT"));
    expect((await ended).code).toBe(130);
  });

  // Windows has no FIFOs.
  test.skipIf(process.platform === "win32")(
    "`calls recording download` refuses to save to a pipe",
    async () => {
      const { offline, fifo, home } = await practice();
      const calls = await offline("calls", "list", "--all", "-o", "json");
      const call = (calls.json as { id: string; recording: { available: boolean } }[]).find(
        ({ recording }) => recording.available,
      );
      const download = (...argv: string[]) =>
        offline("calls", "recording", "download", call?.id ?? "", ...argv);
      fifo("pipe");
      const refused = await download("--out", "pipe", "--force");
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("it is a pipe, not a file");
      writeFileSync(join(home, "real"), "old");
      symlinkSync("real", join(home, "link"));
      expect((await download("--out", "link", "--force")).code).toBe(0);
      expect(lstatSync(join(home, "link")).isSymbolicLink()).toBe(true);
      expect(statSync(join(home, "real")).size).toBeGreaterThan(100);
    },
  );

  // Windows has no FIFOs.
  test.skipIf(process.platform === "win32")(
    "an import writes its results to a FIFO once, when it ends",
    async () => {
      const { offline, fifo, home } = await practice();
      writeFileSync(join(home, "in.csv"), "first_name,phone\nA,+4915112345678\nB,later\n");
      const [read, { code }] = await Promise.all([
        readFile(fifo("pipe"), "utf8"),
        offline("contacts", "import", "in.csv", "--group", "New", "--create-group", "--report", "pipe"),
      ]);
      expect(code).toBe(68);
      expect(JSON.parse(read)).toMatchObject({ row: 2, outcome: "invalid" });
    },
  );
});

describe("the results of a suite", () => {
  // Windows has no FIFOs.
  test.skipIf(process.platform === "win32")(
    "`calls test` writes its results to a FIFO once, completely",
    async () => {
      const { offline, fifo, home } = await practice();
      writeFileSync(join(home, "suite.yaml"), suite);
      const [read, { code }] = await Promise.all([
        readFile(fifo("pipe"), "utf8"),
        offline("calls", "test", "suite.yaml", "--offline", "--junit", "pipe"),
      ]);
      expect(code).toBe(0);
      expect(read).toMatch(/^<\?xml[\s\S]*<\/testsuites>\s*$/);
    },
  );

  test("the results of `calls test` never overwrite the suite", async () => {
    const { offline, home } = await practice();
    writeFileSync(join(home, "suite.yaml"), suite);
    symlinkSync("suite.yaml", join(home, "link.xml"));
    for (const name of ["suite.yaml", "link.xml"]) {
      const refused = await offline("calls", "test", "suite.yaml", "--offline", "--junit", name);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain("is the suite file");
    }
    expect(readFileSync(join(home, "suite.yaml"), "utf8")).toBe(suite);
  });
});

/** Returns the kernel function in which each thread of a process waits. */
function waitsOf(pid: number | undefined): string[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/wchan`, "utf8"));
}

// Only Linux has /dev/full, and shows in /proc where a process waits.
test.skipIf(process.platform !== "linux")(
  "a second signal also ends a process that is blocked in a system call",
  async ({ skip }) => {
    const { start, home } = createInstalledCli();
    execFileSync("mkfifo", [join(home, "suite.yaml")]);
    const child = start(["calls", "test", "suite.yaml", "--offline"]);
    const ended = once(child, "exit");
    const waits = await vi
      .waitFor(() => expect(waitsOf(child.pid)).toContain("wait_for_partner"), 3_000)
      .then(() => true)
      .catch(() => false);
    skip(!waits, "this kernel doesn't say where a process waits");
    // Two signals of one type might arrive as one.
    child.kill("SIGINT");
    child.kill("SIGTERM");
    await ended;
    expect(child.signalCode).toMatch(/^SIG(INT|TERM)$/);
  },
);

test.each(["ods", "json", "pdf"])(
  "an export refuses to write CSV to a file with the extension .%s",
  async (ending) => {
    const { offline, home } = await practice();
    const refused = await offline("contacts", "export", `all.${ending}`);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `unsupported file extension ".${ending}": expected .csv, .xlsx, .jsonl or .vcf`,
    );
    expect((await offline("contacts", "export", `all.${ending}`, "--format", "csv")).code).toBe(0);
    expect(readFileSync(join(home, `all.${ending}`), "utf8").startsWith(header)).toBe(true);
  },
);

test("results files are written in one step", async () => {
  const { home } = commandLine();
  const path = join(home, "results.xml");
  const target = await resolveFileTarget(path);
  const waiting = { clock: systemClock(), signal: new AbortController().signal };
  const junit = await openResultFile(target, "--junit", "first", waiting);
  for (const write of [junit.write, (text: string) => writeResultFile(target, "--report", text, waiting)]) {
    const written = write("second");
    expect([readdirSync(home), readFileSync(path, "utf8")]).toEqual([["results.xml"], "second"]);
    await written;
    writeFileSync(path, "first");
  }
});
