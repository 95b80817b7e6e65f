import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.js";

test("many listeners can wait for one signal without a leak warning", async () => {
  const warnings: string[] = [];
  const listen = (warning: Error) => void warnings.push(warning.name);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  const end = new AbortController();
  const waits = Array.from({ length: 50 }, () => systemClock().sleep(60_000, end.signal));
  end.abort(new Error("over"));
  for (const wait of waits) await expect(wait).rejects.toThrow("over");
  // Node.js emits warnings one tick later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
