import { expect, it } from "vitest";
import { processIo } from "../../src/cli/process-io.js";

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
