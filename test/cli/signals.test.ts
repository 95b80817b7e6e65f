import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { withoutSignalListeners } from "../../src/base/signals.js";
import { processIo } from "../../src/cli/process-io.js";
import { commandLine, type TestIo } from "../helpers/cli.js";
import { projectText } from "../helpers/config.js";

it("a listener for SIGTERM is also called when the terminal closes (SIGHUP)", () => {
  const before = process.listeners("SIGHUP");
  const heard: string[] = [];
  const io = processIo();
  const offs = [
    io.onSignal("SIGTERM", () => heard.push("terminated")),
    io.onSignal("SIGINT", () => heard.push("interrupted")),
  ];
  // `emit` would also call the listeners that end this process, so the test calls only the added listener.
  const added = process.listeners("SIGHUP").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) listener("SIGHUP");
  expect(heard).toEqual(["terminated"]);
  for (const off of offs) off();
  expect(process.listeners("SIGHUP")).toEqual(before);
});

it("`withoutSignalListeners` restores the signal listeners even if its function fails", () => {
  const listener = () => {};
  process.on("SIGINT", listener);
  const before = process.rawListeners("SIGINT");
  expect(withoutSignalListeners(() => process.listenerCount("SIGINT"))).toBe(0);
  expect(() =>
    withoutSignalListeners(() => {
      throw new Error("an expression that fails");
    }),
  ).toThrow("an expression that fails");
  expect(process.rawListeners("SIGINT")).toEqual(before);
  process.off("SIGINT", listener);
});

it.each([
  ["contacts create --group X --data @large.yaml"],
  ["contacts create --group X --data @large.json"],
  ["orgs provision large.yaml"],
  ["orgs provision large.json"],
  ["calls test large.yaml"],
  ["profiles import large.yaml"],
  ["webhook listen --rules large.yaml"],
  ["emulator exec --seed large.yaml -- true"],
  ["config check"],
])("a signal ends `%s` at once while it parses the file", async (line) => {
  const { run, home } = commandLine();
  writeFileSync(join(home, "voxctl.project.yaml"), projectText());
  for (const name of ["large.yaml", "large.json"]) writeFileSync(join(home, name), "[");
  const listener = () => {};
  const removed: unknown[] = [];
  const onRemoved = (name: unknown) => removed.push(name);
  process.on("SIGINT", listener);
  process.on("removeListener", onRemoved);
  onTestFinished(() => {
    process.off("removeListener", onRemoved);
    process.off("SIGINT", listener);
  });
  await run(...line.split(" "));
  expect(removed).toContain("SIGINT");
});

it.each([
  ["contacts create --group X --data @-"],
  ["contacts import - --group X"],
  ["orgs provision -"],
  ["calls test -"],
  ["profiles import -"],
  ["assistants edit Empfang --from -"],
])("a signal ends `%s` at once while it waits for standard input", async (line) => {
  const { runWith } = commandLine();
  const before = (io: TestIo) => {
    io.stdin = Object.assign(new Readable({ read: () => io.signal("SIGINT") }));
  };
  const { code, stderr } = await runWith({ before }, "--profile", "offline", ...line.split(" "));
  expect(stderr).toMatch(/^error: interrupted$/m);
  expect(code).toBe(130);
});

// The test lists open files in /proc, which only Linux has.
it.runIf(process.platform === "linux")(
  "an import that a signal interrupts closes its copy of standard input",
  async () => {
    const { runWith, home } = commandLine();
    const before = (io: TestIo) => {
      io.stdin = Object.assign(new Readable({ read: () => io.signal("SIGINT") }));
    };
    const { code } = await runWith(
      { before },
      "contacts",
      "import",
      "-",
      "--group",
      "X",
      "--profile",
      "offline",
    );
    expect(code).toBe(130);
    const opened = readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return [];
      }
    });
    expect(opened.filter((path) => path.startsWith(home))).toEqual([]);
  },
);
