import type { Bench, Ran } from "./bench.js";
import type { ClockBench } from "./in-process.js";

/**
 * Returns a bench whose bulk commands are killed once, at a random write or journal step, and then repeated.
 */
export function killedOnce(bench: ClockBench, draw: () => number): Bench {
  return {
    ...bench,
    lossy: true,
    async run(...argv): Promise<Ran> {
      const writes = argv.includes("import") || argv.includes("provision") || argv.includes("undo");
      if (!writes) return bench.run(...argv);
      const at =
        draw() < 0.5 ? { write: 1 + Math.floor(draw() * 12) } : { step: 1 + Math.floor(draw() * 14) };
      const ran = await bench.runKilled(at, ...argv);
      return ran.code === null ? bench.run(...argv) : ran;
    },
  };
}
