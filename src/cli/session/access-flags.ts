import type { Flag } from "./input.js";

/** These flags let a directory's configuration read more local data, for one run. */
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
