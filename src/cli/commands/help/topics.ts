import { refusalCodes } from "../../errors/refusal-codes.js";
import { globalFlags } from "../../session/globals.js";
import type { Flag } from "../../session/input.js";

const exitCodes = `Exit codes

  CODE  MEANING                                                NEXT STEP
  0     Success, including empty results
  1     Internal error: a bug in voxctl                        Report it
  2     Invalid flag, argument or input; no request was sent   Fix the command
  3     Not authenticated or not permitted (401, 402, 403)     Check the key
  4     Not found (404)                                        Check the name
  5     Request rejected by the service (400)                  Fix the input
  6     Conflict with existing data or another run (409)       Resolve or wait
  7     Rate limit: the wait would exceed --max-wait           Run it again
  8     Timed out while waiting; the operation continues       Wait again
  9     Service unreachable or failing; see "outcome" below    Run it again
  10    Differences found                                      Review them
  11    The call, test or check failed                         See the output
  12    Refused: not confirmed, or blocked by a policy         Confirm it
  68    Partially done                                         See the results
  75    Outcome unknown: a write may have taken effect         Check, then retry
  130   Interrupted by Ctrl-C                                  Run it again
  143   Terminated by a signal                                 Run it again

With -o json, an error is one JSON object on stderr:
  {"error": {"code", "message", "details", "status", "exit", "retryable",
             "outcome", "hint"}}
In scripts, test "retryable" instead of a list of exit codes. "outcome" is
"none" (no changes), "done" (changes were made) or "unknown".

To list all commands, run \`voxctl commands\`.

Values of "code" with exit code 12:
${Object.entries(refusalCodes)
  .map(([code, cause]) => `  ${code.padEnd(24)}${cause}\n`)
  .join("")}`;

const environment = `Environment

To use a service without a profile, set its URL and its key:
  VOXCTL_BASE_URL, VOXCTL_API_KEY                      the Public API
  VOXCTL_DISTRIBUTOR_URL, VOXCTL_DISTRIBUTOR_KEY       distributor v2
  VOXCTL_DISTRIBUTOR_V1_URL, VOXCTL_DISTRIBUTOR_V1_KEY distributor v1
  VOXCTL_LEGACY_URL, VOXCTL_LEGACY_KEY                 legacy; default: the
                                                       Public API's host and key

  VOXCTL_PROFILE      the profile to use
  VOXCTL_REQUIRE_PROFILE   1: fail if no profile is specified, like
                           --require-profile
  VOXCTL_KEYCHAIN     off: store keys in a file instead of the system's keychain
  VOXCTL_CONFIG_DIR   directory of profiles (default: ~/.config/voxctl)
  VOXCTL_DATA_DIR     directory of offline databases and runs (default:
                      ~/.local/share/voxctl)
  VOXCTL_STORE        postgres://USER@HOST/DATABASE: share runs with other
                      machines, overriding the profile's store
                      local: keep runs on this machine only
  VOXCTL_STORE_KEY    the key that \`voxctl store init\` printed

voxctl uses the first of these that is set: --profile, the URLs and keys above,
VOXCTL_PROFILE, a .voxctl.yaml or .voxctl.yml file in this directory or a parent
directory (with only the line "profile: NAME"), the default profile. Otherwise,
voxctl uses the local emulator. With neither a profile nor a URL and key,
scripts can only read. If the .voxctl.yaml file can't be read, read commands
print a warning, and write commands require --profile.

  HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY        proxies
  NODE_EXTRA_CA_CERTS, SSL_CERT_FILE                  trusted CA certificates
  NO_COLOR, CLICOLOR=0                                no colors
  FORCE_COLOR, CLICOLOR_FORCE                         colors in any output
  COLUMNS                                             terminal width
  CI                                                  if set, never prompt
`;

const output = `Output

  -o table    for reading; the default on a terminal
  -o json     one document with all fields from the service; the default
              elsewhere
  -o ndjson   one JSON object per line
  -o yaml
  -o csv      one row per resource; semicolons separate several values in a cell

  --wide      tables with all columns and complete cells on any terminal
  --plain     for screen readers: a line for each value or prompt, no boxes or
              colors
  Times in tables on a terminal are relative ("5 min ago"); all other output
  contains the times unchanged.

  --fields id,sync_status.state   only these fields, in any format
  --limit N, --all                number of rows in a list (default: 50); if
                                  there are more, stderr shows a note

stdout contains only results; notes, progress, warnings and errors go to stderr.
In JSON, a list is an array, and a single resource is an object without the
response's envelope. A delete prints {"id", "deleted": true}. If the resource
has no ID, such as a profile or snapshot, "name" replaces "id". \`voxctl api\`
prints the body unchanged.
`;

const imports = `Imports

  voxctl contacts import FILE --group NAME       CSV, TSV, XLSX (the sheet with
                                                 the most known columns), JSONL,
                                                 JSON or vCard; - for stdin.
  voxctl glossary import, pronunciation import   A file of terms or words.
  voxctl knowledge import DIR --group NAME       A directory of .md and .txt
                                                 files.

Nothing is lost and nothing is written twice:
  - voxctl reads and checks the whole file before it writes. It imports the
    valid rows and lists the others in the results file, with the invalid field.
  - Rows that match an existing contact or an earlier row are skipped. Rows
    match by phone number, or by email if they have no number. A warning shows
    how many matches have a different name. --match email or phone,email always
    compares emails; add ,name (phone,name) to compare names as well. To change
    existing contacts, use --on-match update.
  - Writes are paced to the service's limit (200 per minute), which all voxctl
    processes on this machine share. Other commands take precedence over an
    import. If a request still exceeds the limit, voxctl waits and retries.
  - voxctl records every write in a journal before sending it. If a response is
    lost, voxctl reads the group to check the outcome.

To resume an interrupted import, run the same command again, or run
\`voxctl runs resume RUN\`. To find the run, use \`voxctl runs list\`.
To undo an import, run \`voxctl runs undo RUN\`. This command deletes created
contacts, restores updated ones, and deletes a group that the run created if the
group is empty.
To preview an import, use --dry-run. To try it in the local emulator, without
waiting for limits, use --profile offline.

voxctl detects columns by English and German names (first_name, Vorname,
Telefon, E-Mail …), and by the names in Outlook's exports in Dutch, French,
Italian, Polish and Spanish. For other names, use --map
"first_name=Rufname,phone_numbers=Tel1|Tel2", which reads numbers from both
columns. If a first name can be empty, add other columns after ||:
"first_name=Vorname||Nachname||Firma" uses the first column that is not empty.
For numbers without a country code, use --country DE.

To preview a change, use --dry-run. To save it for review and \`voxctl apply\`,
use --plan. To run any command on a copy of the organization, use
\`voxctl rehearse\`.

Exit codes: 0 all rows imported, 68 some rows were not, 75 outcome unknown: run
the same command again to check.
`;

const sharedState = `Shared state

voxctl keeps locks and run journals in the data directory of each machine. Two
machines without a shared store can't see each other's runs, and the service has
no locks. If both import the same rows at the same time, the service creates
them twice.

To prevent this, share a store, which is a schema in a PostgreSQL database:

  VOXCTL_STORE='postgres://USER@HOST/DATABASE?schema=voxctl' voxctl store init
  export VOXCTL_STORE=… VOXCTL_STORE_KEY=…       on every machine

Imports into one group then take turns, and every machine can list,
resume and undo runs. If the database is unreachable, no request is sent.

Without a store, a run that created contacts reads the group again at its end.
If another machine has created the same contacts since the first write, the
command exits with code 68. "doubled" in its JSON output lists the first pairs;
the results file lists all of them. To keep the older contact in each pair:

  voxctl contacts dedupe --group NAME

The check is skipped with --no-final-check, in groups with more than 100,000
contacts, and if a read must wait longer than 5 minutes for the rate limit.

See docs/guides/several-machines.md.
`;

function wrapText(text: string, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > 80) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((textLine) => `${indent}${textLine}\n`).join("");
}

function formatFlag({ name, short, value, description, choices, default: preset }: Flag): string {
  const term = `  ${short ? `-${short}, ` : ""}--${name}${value ? ` <${value}>` : ""}\n`;
  const notes = [
    ...(choices ? [`one of ${choices.join(", ")}`] : []),
    ...(preset === undefined ? [] : [`default ${preset}`]),
  ];
  return term + wrapText(notes.length > 0 ? `${description} (${notes.join("; ")})` : description, "        ");
}

const flags = () => `Flags of every command

Global flags can precede or follow the command. If a command has a flag with the
same name, the global flag is --global-NAME.

A flag with one value can be used only once, except --output, --fields,
--timeout and --max-wait, whose last value counts. A flag after the command
takes precedence over the same flag before it, so that a shell alias can set a
default: with \`alias vx='voxctl --profile acme'\`, \`vx ping --profile test\` uses
profile "test". Flags after a voxctl alias also take precedence over the alias's
flags.

${globalFlags.map(formatFlag).join("")}  -h, --help
        Show help for the command
`;

export const topics: Readonly<Record<string, string>> = {
  "exit-codes": exitCodes,
  environment,
  output,
  imports,
  "shared-state": sharedState,
  // A getter, because only `help flags` needs this text.
  get flags() {
    return flags();
  },
};

const alternativeNames: Readonly<Record<string, string>> = {
  options: "flags",
  errors: "exit-codes",
  codes: "exit-codes",
  formats: "output",
  variables: "environment",
};

/** Finds a topic by an inexact name, such as `exit-code` or `env`; undefined if none or several match. */
export function findTopic(words: readonly string[]): string | undefined {
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, "");
  const query = normalize(words.join("")).replace(/s$/, "");
  if (query.length < 3) return undefined;
  const names = [
    ...Object.keys(topics).map((name) => [name, name] as const),
    ...Object.entries(alternativeNames),
  ];
  const matches = new Set(
    names.filter(([name]) => normalize(name).startsWith(query)).map(([, topic]) => topic),
  );
  return matches.size === 1 ? [...matches][0] : undefined;
}
