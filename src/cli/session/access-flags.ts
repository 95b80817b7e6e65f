import type { Flag } from "./input.js";

/** Flags that allow a directory's configuration to read more local data, for one command. */
export const accessFlags: readonly Flag[] = [
  {
    name: "allow-env",
    value: "name",
    repeatable: true,
    description:
      "Environment variable or keychain entry that the directory's configuration may read; * matches any characters",
  },
  {
    name: "allow-file",
    value: "path",
    repeatable: true,
    description:
      "File that the directory's configuration may read, as a path without symbolic links; accepts the globs *, ** and ?",
  },
];
