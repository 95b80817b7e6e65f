import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that mostly wait for real time and for processes. Only one of them runs at a time, so that other
 * files can use the cores.
 */
const waiting = [
  "acceptance/killed",
  "acceptance/shared-limit",
  "acceptance/emulator-exec",
  "acceptance/emulator-processes",
  "acceptance/built",
  "acceptance/script",
  "cli/recordings-on-the-wire",
  "conformance/silence",
  "emulator/histories",
  "mcp/stdio",
  "webhook/attach",
  "project/package",
  "docs/library-examples",
].map((name) => `/test/${name}.test.ts`);

/** The assumed duration of a file that has not run here. */
const guessMilliseconds = 1_000;

/** Runs long files before short ones, so that all workers stay busy. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const positionOf = ({ moduleId }: TestSpecification) =>
      waiting.findIndex((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    const waiters = sorted
      .filter((file) => positionOf(file) >= 0)
      .sort((left, right) => positionOf(left) - positionOf(right));
    const remaining = sorted.filter((file) => positionOf(file) < 0);
    const { cache, config } = this.ctx;
    const lengthOf = ({ project, moduleId }: TestSpecification) =>
      cache.getFileTestResults(`${project.name}:${relative(config.root, moduleId)}`)?.duration ??
      guessMilliseconds;
    return interleave(waiters, remaining, { workers: Number(config.maxWorkers), lengthOf });
  }
}

/** Orders all files so that only one of `waiters` runs at a time while other files remain. */
function interleave<File>(
  waiters: readonly File[],
  remaining: readonly File[],
  { workers, lengthOf }: { workers: number; lengthOf(file: File): number },
): File[] {
  const [slow, fast] = [[...waiters], [...remaining]];
  const order: File[] = [];
  /** Time at which each worker is free. */
  const free = Array.from({ length: Math.max(1, workers) }, () => 0);
  let waitsUntil = 0;
  while (slow.length + fast.length > 0) {
    const at = Math.min(...free);
    const waits = slow.length > 0 && (waitsUntil <= at || fast.length === 0);
    const file = (waits ? slow : fast).shift();
    if (file === undefined) break;
    const end = at + lengthOf(file);
    free[free.indexOf(at)] = end;
    if (waits) waitsUntil = end;
    order.push(file);
  }
  return order;
}

/** The slowest test files with external programs, whose duration Vitest can't estimate. */
const longest = [
  ...["fleet", "store-maps", "store", "store-takeovers", "store-checks", "store-losses", "store-failovers"],
  ...["fleet-kills", "store-writes"],
  ...["docs", "openapi-clients", "ui", "prism", "ui-views", "ui-hostile", "completion"],
].map((name) => `/test/tools/${name}.test.ts`);

/** Runs the files of `longest` before all other files, in the order of `longest`. */
export class ExternalProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const positionOf = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? longest.length : index;
    };
    return sorted.toSorted((left, right) => positionOf(left) - positionOf(right));
  }
}
