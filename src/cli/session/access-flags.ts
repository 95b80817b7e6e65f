import type { Flag } from "./input.js";

/** Flags that allow a configuration directory to read more local data for one run. */
export const accessFlags: readonly Flag[] = [
  {
    name: "allow-env",
    value: "name",
    repeatable: true,
    description:
      "Environment variable or keychain entry that the directory may read; * matches any characters",
  },
  {
    name: "allow-file",
    value: "path",
    repeatable: true,
    description: "File that the directory may read, as a path without links; accepts the globs *, ** and ?",
  },
];
