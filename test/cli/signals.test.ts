import { expect, it } from "vitest";
import { processIo } from "../../src/cli/process-io.js";

it("a terminal that is closed (SIGHUP) ends a command as SIGTERM does, until it no longer listens", () => {
  const before = process.listenerCount("SIGHUP");
  const heard: string[] = [];
  const io = processIo();
  const offs = [
    io.onSignal("SIGTERM", () => heard.push("terminated")),
    io.onSignal("SIGINT", () => heard.push("interrupted")),
  ];
  process.emit("SIGHUP");
  expect(heard).toEqual(["terminated"]);
  for (const off of offs) off();
  expect(process.listenerCount("SIGHUP")).toBe(before);
});
