import type { Consistency, MirrorResource } from "../../contract/mirror.js";
import { BulkError } from "../../write/errors.js";
import type { MirrorState, PassCounts, Progress } from "./mirror-emulator.js";

export class Passes {
  private readonly counts: Map<number, PassCounts>;
  readonly first: number;

  constructor(state: Pick<MirrorState, "passes" | "lists">) {
    this.counts = new Map(state.passes.map(({ pass, ...counts }) => [pass, counts]));
    this.first = Math.max(1, ...this.counts.keys(), ...state.lists.map(({ pass }) => pass));
  }

  of(pass: number): PassCounts {
    return this.counts.get(pass) ?? { changed: 0, signs: 0 };
  }

  add(pass: number, { changed, signs }: PassCounts): void {
    const before = this.of(pass);
    this.counts.set(pass, { changed: before.changed + changed, signs: before.signs + signs });
  }

  /**
   * Returns whether the copy is consistent after a pass; undefined if another pass is needed.
   * @param last number of the last allowed pass
   */
  consistencyAfter(pass: number, last: number, progress: Progress): Consistency | undefined {
    if (pass > 1 && this.of(pass).changed === 0) {
      const isQuiet = this.of(pass).signs === 0 && this.of(pass - 1).signs === 0;
      return isQuiet && canDetectChanges(progress) ? "consistent" : "equal-twice";
    }
    return pass >= last ? "fuzzy" : undefined;
  }
}

/** Resource types whose lists omit fields. A change to such a field is visible only in `updated_at`. */
const withDetails: readonly MirrorResource[] = ["knowledge", "calls"];

/**
 * Returns whether a pass detects every change: all records of a type have a change time, or none has one and
 * the type's list omits no fields.
 */
function canDetectChanges({ dated, undated }: Progress): boolean {
  return undated.every((resource) => !dated.includes(resource) && !withDetails.includes(resource));
}

/** @throws BulkError if the unfinished mirror was started with different options */
export function assertSameRequest(begun: MirrorState["request"], requested: MirrorState["request"]): void {
  const differing = Object.entries(requested).filter(
    // Ignore the start time for calls: --calls is relative to the current time, so it always differs.
    ([name, value]) =>
      !(name === "calls_from" && value !== null && begun.calls_from !== null) &&
      JSON.stringify(value) !== JSON.stringify(Object.entries(begun).find(([field]) => field === name)?.[1]),
  );
  const [first] = differing;
  if (!first) return;
  throw new BulkError(
    "mirror_differs",
    `the unfinished mirror "${begun.name}" was started with a different value for ${first[0]}`,
    `use the same flags and profile, or delete the mirror: \`voxctl mirror delete ${begun.name}\``,
  );
}
