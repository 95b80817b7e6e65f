import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processIo } from "../../src/cli/process-io.js";
import { commandLine, type TestIo } from "../helpers/cli.js";
import { projectText } from "../helpers/config.js";

it("a closed terminal (SIGHUP) ends a command like SIGTERM while it listens", () => {
  const before = process.listeners("SIGHUP");
  const heard: string[] = [];
  const io = processIo();
  const offs = [
    io.onSignal("SIGTERM", () => heard.push("terminated")),
    io.onSignal("SIGINT", () => heard.push("interrupted")),
  ];
  // Not by an emit: what other modules of this process do at the signal is to end it.
  const added = process.listeners("SIGHUP").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) listener("SIGHUP");
  expect(heard).toEqual(["terminated"]);
  for (const off of offs) off();
  expect(process.listeners("SIGHUP")).toEqual(before);
});

it("a signal ends work that may never end: nothing listens for signals during it", () => {
  const io = processIo();
  const off = io.onSignal("SIGINT", () => {});
  const before = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => process.rawListeners(name));
  expect(io.whileDeaf(() => process.listenerCount("SIGINT"))).toBe(0);
  expect(() =>
    io.whileDeaf(() => {
      throw new Error("an expression that fails");
    }),
  ).toThrow("an expression that fails");
  expect((["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => process.rawListeners(name))).toEqual(
    before,
  );
  off();
});

it.each([
  ["contacts create --group X --data @large.yaml"],
  ["contacts create --group X --data @large.json"],
  ["orgs provision large.yaml"],
  ["orgs provision large.json"],
  ["emulator exec --seed large.yaml -- true"],
  ["config check"],
])("a signal ends `%s` at once while it parses the file", async (line) => {
  const { runWith, home } = commandLine();
  writeFileSync(join(home, "voxctl.project.yaml"), projectText());
  for (const name of ["large.yaml", "large.json"]) writeFileSync(join(home, name), "[");
  let parsed = 0;
  const before = (io: TestIo) => {
    io.whileDeaf = (work) => {
      parsed += 1;
      return work();
    };
  };
  await runWith({ before }, ...line.split(" "));
  expect(parsed).toBe(1);
});
