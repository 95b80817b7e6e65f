import type { Flag } from "./input.js";

/** Flags that allow a directory to read more of this machine for one run. */
export const accessFlags: readonly Flag[] = [
  {
    name: "allow-env",
    value: "name",
    repeatable: true,
    description: "Environment variable or keychain entry that the folder may read; * matches any characters",
  },
  {
    name: "allow-file",
    value: "path",
    repeatable: true,
    description: "File that the folder may read, by its path without links; *, ** and ? as in a glob",
  },
];
