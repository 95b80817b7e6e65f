import { refusalCodes } from "../../errors/refusal-codes.js";
import { globalFlags } from "../../session/globals.js";
import type { Flag } from "../../session/input.js";

const exitCodes = `Exit codes

  0    success, an empty list too
  1    unexpected, internal: a defect of voxctl
  2    usage, or local validation: nothing was sent
  3    authentication, permission, feature (401, 402, 403)
  4    not found
  5    the API rejected the request (400)
  6    conflict (409)
  7    rate limit exhausted, waiting not allowed or too long; safe to resume
  8    still pending when waiting ran out
  9    network or server failure, known to have changed nothing
  10   differences found
  11   what was watched ended badly
  12   refused: unconfirmed, or against the profile's policy
  68   partly done; stderr names the report
  75   outcome unknown, or done and not told: look before retrying
  130  interrupted (Ctrl-C)
  143  terminated

With -o json an error on stderr is one line:
  {"error": {code, message, details, status, exit, retryable, outcome, hint}}
outcome is none (nothing happened), done or unknown.

Values of "code" with exit code 12:
${Object.entries(refusalCodes)
  .map(([code, cause]) => `  ${code.padEnd(24)}${cause}\n`)
  .join("")}`;

const environment = `Environment

A profile without a file: an address and its key, always both.
  VOXCTL_BASE_URL, VOXCTL_API_KEY                      the Public API
  VOXCTL_DISTRIBUTOR_URL, VOXCTL_DISTRIBUTOR_KEY       distributor v2
  VOXCTL_DISTRIBUTOR_V1_URL, VOXCTL_DISTRIBUTOR_V1_KEY distributor v1
  VOXCTL_LEGACY_URL, VOXCTL_LEGACY_KEY                 legacy; default: the
                                                       Public API's host and key

  VOXCTL_PROFILE      the profile to use
  VOXCTL_REQUIRE_PROFILE   set to 1: refuse a profile that was not named (as
                           --require-profile)
  VOXCTL_KEYCHAIN     off: keys that are stored go to a file, never to the
                      system's keychain
  VOXCTL_CONFIG_DIR   where profiles are kept (default: ~/.config/voxctl)
  VOXCTL_DATA_DIR     directory of offline databases and runs (default:
                      ~/.local/share/voxctl)

Which profile is used: --profile, the addresses and keys above, VOXCTL_PROFILE,
a .voxctl.yaml or .voxctl.yml in this folder or above ("profile: NAME" and
nothing else), the default profile; else the embedded emulator, which serves
reads, and a person at a terminal. If that file can't be read, reads warn and
writes need --profile.

  HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY             as usual
  NODE_EXTRA_CA_CERTS, SSL_CERT_FILE                       trusted authorities
  NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR=0   colour off, on, on, off
  COLUMNS                                                  width of a terminal
  CI                                                       set: never ask
                                                           anything
`;

const output = `Output

  -o table    for reading; the default on a terminal
  -o json     one document with every field the service sent; the default
              elsewhere
  -o ndjson   one JSON object per line
  -o yaml
  -o csv      one row per resource; lists in a cell are separated by semicolons

  --wide      tables with all columns and whole cells, however narrow the
              terminal
  --plain     for screen readers: a line for each value or prompt, no drawings
              or colors
  Times are relative in tables on a terminal ("5 min ago"), as they were sent
  everywhere else.

  --fields id,sync_status.state   only these fields, in any format
  --limit N, --all                lists show 50 rows otherwise; stderr says when
                                  there are more

stdout carries results only; notes, progress, warnings and errors go to stderr.
In JSON, a list is an array, and a single resource is an object without its
envelope. A delete prints {"id", "deleted": true}, with "name" if the resource
has no ID, such as a profile or snapshot. voxctl api prints the body unchanged.
`;

const imports = `Imports

  voxctl contacts import FILE --group NAME       CSV, TSV, XLSX (the sheet with
                                                 the most known columns), JSONL
                                                 or JSON; - for stdin
  voxctl glossary import, pronunciation import   the same for their terms and
                                                 words
  voxctl knowledge import FOLDER --group NAME    a folder of .md and .txt files

Nothing is lost and nothing is written twice:
  - voxctl reads and checks the whole file before it writes. It lists rows that
    can't be imported, with the field, in the results file and imports the
    others.
  - Rows that exist in the group, or twice in the file, are found by phone
    number, or by email without one, and skipped. A warning counts those with
    another name. --match email or phone,email always compares emails. With
    ,name (phone,name) the names must also match. To change existing contacts,
    use --on-match update.
  - Writes are paced to the service's limit (200 a minute), which all voxctl
    processes of this machine share. Other commands take precedence over an
    import. After a rejection by the limit, voxctl waits.
  - Every write is in a journal before it is sent. After a lost response, voxctl
    reads the group to check the outcome.

To resume an interrupted import, run the same command again, or: voxctl runs
list, voxctl runs resume RUN.
To undo an import, run voxctl runs undo RUN. It deletes created contacts,
restores updated ones, and deletes a group that the run created if it is empty.
To preview an import, use --dry-run. To try it in the embedded emulator, without
waiting for limits, use --profile offline.

Columns are known by their names in English and German (first_name, Vorname,
Telefon, E-Mail …); --map says it otherwise: --map
"first_name=Rufname,phone_numbers=Tel1|Tel2". --country DE reads numbers without
country code.
Exit codes: 0 all imported, 68 some rows were not (of a dry run: would not be),
75 outcome unknown: look before retrying.
`;

/** Lines of at most 80 columns, set in. */
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

They stand before or after the command's own. Where a command has a flag of the
same name, that one is meant, and the global one is --global-NAME.

A flag that takes one value is given once: two values are refused, since one of
them would be forgotten. Only of --output, --fields, --timeout and --max-wait
the last counts. What stands behind the command goes before what stands ahead of
it, so that a shell's alias can hold a default: with alias
vx='voxctl --profile acme', vx ping --profile test asks test. In the same way
what is typed behind one of voxctl alias goes before the alias's own flags.

${globalFlags.map(formatFlag).join("")}  -h, --help
        what the command does, and its own flags
`;

/** Texts of `voxctl help TOPIC`. */
export const topics: Readonly<Record<string, string>> = {
  "exit-codes": exitCodes,
  environment,
  output,
  imports,
  // Every command reads the names of the topics; putting this one together is for whoever asks for it.
  get flags() {
    return flags();
  },
};

/** Other words for a topic, besides its beginnings, its plural and its spellings. */
const alternativeNames: Readonly<Record<string, string>> = {
  options: "flags",
  errors: "exit-codes",
  codes: "exit-codes",
  formats: "output",
  variables: "environment",
};

/** The topic that is meant by `exit-code`, `exit codes`, `env` or `Import`; undefined where it is none, or may be several. */
export function findTopic(words: readonly string[]): string | undefined {
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
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
