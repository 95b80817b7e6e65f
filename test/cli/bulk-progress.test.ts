import { expect, test } from "vitest";
import type { Notes } from "../../src/cli/terminal/notes.js";
import { createPaint, type Text, toShown } from "../../src/cli/terminal/paint.js";
import { createBulkProgress } from "../../src/cli/terminal/progress.js";

function progressOn(columns: number) {
  let now = 0;
  const terminal = { columns, written: [] as string[] };
  const write = (text: Text) => void terminal.written.push(toShown(text));
  const notes: Notes = {
    note: write,
    warn: write,
    banner: write,
    debug: write,
    write,
    json: () => {},
    annotate: () => {},
    live: true,
    terminal: true,
    get columns() {
      return terminal.columns;
    },
    paint: createPaint(false),
  };
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const progress = createBulkProgress(notes, clock, clock);
  const bar = (done: number) => {
    now += 1_000;
    progress.bar({ done, total: 12_345, intervalMilliseconds: 300 });
    return terminal.written.at(-1) ?? "";
  };
  return { terminal, progress, bar };
}

const erased = /^\r\u001b\[2K/;

test.each([10, 20, 30, 50, 80, 200])(
  "a progress bar is never wider than a terminal of %i columns",
  (columns) => {
    const { bar } = progressOn(columns);
    for (let done = 1_000; done < 12_345; done += 1_000) {
      const line = bar(done);
      expect(line).toMatch(erased);
      expect(line.replace(erased, "").length).toBeLessThan(columns);
      expect(line.replace(erased, "")).toContain(done.toLocaleString("en-US"));
    }
  },
);

test("a progress bar is removed completely even after a line wrap", () => {
  const { terminal, bar, progress } = progressOn(80);
  const width = bar(1_000).replace(erased, "").length;
  terminal.columns = 30;
  const rows = Math.ceil(width / 30);
  expect(rows).toBeGreaterThan(1);
  expect(bar(1_001).startsWith(`\r\u001b[${rows - 1}A\u001b[J`)).toBe(true);
  expect(bar(1_002)).toMatch(erased);
  progress.end();
  expect(terminal.written.at(-1)).toBe("\r\u001b[2K");
});
