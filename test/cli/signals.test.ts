import { expect, it } from "vitest";
import { processIo } from "../../src/cli/process-io.js";

it("a terminal that is closed (SIGHUP) ends a command as SIGTERM does, until it no longer listens", () => {
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

it("work that may never end can be ended by a signal: nothing listens to it meanwhile", () => {
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
