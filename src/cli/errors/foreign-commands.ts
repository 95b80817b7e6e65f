/** Names in other command lines (gh, kubectl, gcloud, aws) for resources and actions with a different name here. */

const flags: Readonly<Record<string, string>> = {
  "--yaml": "-o yaml prints YAML.",
  "--csv": "-o csv prints CSV.",
  "--format": "-o json, yaml, ndjson or csv chooses the format.",
  "--query": "--jq EXPR asks what is printed, --fields a,b chooses fields.",
  "--filter": "--jq EXPR asks what is printed.",
  "--template": "--jq EXPR prints what you want of it.",
  "--columns": "--fields a,b chooses fields.",
  "--context": "--profile NAME chooses where it goes.",
  "--dry": "--dry-run shows what would be sent.",
  "--dry-run": "What only reads changes nothing; voxctl config plan shows what config apply would do.",
  "--watch-only": "--watch follows a list.",
  "--non-interactive": "--yes answers what is asked.",
  "--force": "--yes answers what is asked.",
  "--assume-yes": "--yes answers what is asked.",
  "--page-size": "--limit N bounds a list, --all reads it whole.",
  "--page": "--limit N bounds a list, --all reads it whole.",
  "--method": "The method is the first word: voxctl api PATCH /contacts/….",
  "-v": "voxctl --version prints the version, --debug shows requests and answers.",
  "-X": "The method is the first word: voxctl api PATCH /contacts/….",
  "-d": "--data '{…}', --data @file or --data @- is the body.",
  "-f": "--data '{…}', --data @file or --data @- is the body.",
  "-F": "--data '{…}', --data @file or --data @- is the body.",
  "-p": "--profile NAME chooses where it goes.",
  "-n": "--limit N bounds a list.",
  "-j": "-o json prints JSON.",
};
/** Names with a meaning for these flags of the command only. */
const requiredFlags: Readonly<Record<string, string>> = {
  "--method": "--data",
  "-X": "--data",
  "-d": "--data",
  "-f": "--data",
  "-F": "--data",
  "-n": "--limit",
};

/** The search flag of a list, if it has one for all fields. */
const searched = new Set(["--phone", "--number", "--name", "--email", "--mail", "--find", "--grep"]);

/** Flags of other programs, and the possible equivalents here. */
const alike: Readonly<Record<string, readonly string[]>> = {
  "--since": ["--from"],
  "--after": ["--from"],
  "--until": ["--to"],
  "--before": ["--to"],
  "--output-file": ["--output"],
};

/** Returns a hint for a flag of other programs, if the command has no flag of this name. */
export function findForeignFlagHint(typed: string, taken: readonly string[]): string | undefined {
  const name = typed.split("=")[0] ?? "";
  const same = Object.hasOwn(alike, name) ? alike[name]?.find((flag) => taken.includes(flag)) : undefined;
  if (same !== undefined) return `Did you mean ${same}? `;
  if (searched.has(name) && taken.includes("--search")) return "--search TEXT|+49… finds by it. ";
  if (!Object.hasOwn(flags, name)) return undefined;
  const requiredFlag = Object.hasOwn(requiredFlags, name) ? requiredFlags[name] : undefined;
  if (requiredFlag !== undefined && !taken.includes(requiredFlag)) return undefined;
  // The word is part of a flag of the command: `--format` of `--output-format`.
  const bare = name.replace(/^-+/, "");
  return taken.some((flag) => flag.split(/-+/).includes(bare)) ? undefined : `${flags[name]} `;
}

const commands: Readonly<Record<string, readonly string[]>> = {
  show: ["get"],
  describe: ["get", "show"],
  view: ["get", "show"],
  read: ["get", "show"],
  info: ["get", "show", "status"],
  get: ["show"],
  ls: ["list", "contacts list"],
  whoami: ["profiles show"],
  current: ["show"],
  switch: ["use"],
  login: ["profiles add"],
  auth: ["profiles add"],
  logout: ["profiles remove"],
  init: ["init", "config init"],
  serve: ["start", "emulator start"],
  upgrade: ["version"],
  search: ["list --search", "list", "find"],
  find: ["list --search", "list"],
  add: ["create"],
  new: ["create"],
  insert: ["create"],
  create: ["add"],
  modify: ["update"],
  change: ["update"],
  edit: ["update"],
  patch: ["update"],
  set: ["update"],
  remove: ["delete"],
  del: ["delete"],
  destroy: ["delete"],
  delete: ["remove"],
  upload: ["import"],
  load: ["import"],
  download: ["export"],
  dump: ["export"],
  save: ["export"],
  call: ["trigger"],
  start: ["trigger"],
  run: ["test"],
};

/** Returns the command of this group with this name in another program. */
export function findForeignCommand(typed: string, available: readonly string[]): string | undefined {
  const candidates = Object.hasOwn(commands, typed) ? (commands[typed] ?? []) : [];
  return candidates.find((command) => available.includes(command.split(" ")[0] ?? ""));
}
