import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They wait for real time and for processes, the longest first: begun last, they would be waited for alone. */
const early = [
  "acceptance/shared-limit",
  "acceptance/emulator-exec",
  "acceptance/killed",
  "acceptance/emulator-start",
  "acceptance/import",
  "client/hanging-peers",
  "acceptance/script",
  "client/wrong-clocks",
].map((name) => `/test/${name}.test.ts`);

/** Long files before short ones, so that all workers are busy to the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = early.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? early.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
