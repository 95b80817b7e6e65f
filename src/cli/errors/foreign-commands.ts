/** Flags and commands of other programs (gh, kubectl, gcloud, aws), and voxctl's names for them. */

const flags: Readonly<Record<string, string>> = {
  "--yaml": "for YAML, use -o yaml",
  "--csv": "for CSV, use -o csv",
  "--format": "to choose the format, use -o json, yaml, ndjson or csv",
  "--query": "to select values, use --jq EXPR or --fields a,b",
  "--filter": "to filter the output, use --jq EXPR",
  "--template": "to format the output, use --jq EXPR",
  "--columns": "to choose columns, use --fields a,b",
  "--context": "to choose the service, use --profile NAME",
  "--dry": "to print the requests without sending them, use --dry-run",
  "--dry-run": "this command makes no changes; to preview `config apply`, run `voxctl config plan`",
  "--watch-only": "to follow a list, use --watch",
  "--non-interactive": "to confirm, use --yes",
  "--force": "to confirm, use --yes",
  "--assume-yes": "to confirm, use --yes",
  "--page-size": "to limit a list, use --limit N; for all rows, use --all",
  "--page": "to limit a list, use --limit N; for all rows, use --all",
  "--method": "write the method as the first argument: `voxctl api PATCH /contacts/…`",
  "-v": "for the version, use --version; for requests and responses, use --debug",
  "-X": "write the method as the first argument: `voxctl api PATCH /contacts/…`",
  "-d": "to send a body, use --data '{…}', --data @file or --data @-",
  "-f": "to send a body, use --data '{…}', --data @file or --data @-",
  "-F": "to send a body, use --data '{…}', --data @file or --data @-",
  "-p": "to choose the service, use --profile NAME",
  "-n": "to limit a list, use --limit N",
  "-j": "for JSON, use -o json",
};
/** The hint for another program's flag is shown only if the command has this voxctl flag. */
const requiredFlags: Readonly<Record<string, string>> = {
  "--method": "--data",
  "-X": "--data",
  "-d": "--data",
  "-f": "--data",
  "-F": "--data",
  "-n": "--limit",
};

const searched = new Set(["--phone", "--number", "--name", "--email", "--mail", "--find", "--grep"]);

const alike: Readonly<Record<string, readonly string[]>> = {
  "--since": ["--from"],
  "--after": ["--from"],
  "--until": ["--to"],
  "--before": ["--to"],
  "--output-file": ["--output"],
};

export function findForeignFlagHint(typed: string, taken: readonly string[]): string | undefined {
  const name = typed.split("=")[0] ?? "";
  const same = Object.hasOwn(alike, name) ? alike[name]?.find((flag) => taken.includes(flag)) : undefined;
  if (same !== undefined) return `did you mean ${same}?`;
  if (searched.has(name) && taken.includes("--search"))
    return "to search, use --search TEXT or --search +49…";
  if (!Object.hasOwn(flags, name)) return undefined;
  const requiredFlag = Object.hasOwn(requiredFlags, name) ? requiredFlags[name] : undefined;
  if (requiredFlag !== undefined && !taken.includes(requiredFlag)) return undefined;
  // If the command has a flag that contains the word (`--output-format` for `--format`), the caller suggests
  // that flag.
  const bare = name.replace(/^-+/, "");
  return taken.some((flag) => flag.split(/-+/).includes(bare)) ? undefined : flags[name];
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

export function findForeignCommand(typed: string, available: readonly string[]): string | undefined {
  const candidates = Object.hasOwn(commands, typed) ? (commands[typed] ?? []) : [];
  return candidates.find((command) => available.includes(command.split(" ")[0] ?? ""));
}
