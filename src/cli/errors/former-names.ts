/** Commands and flags that were renamed or removed before the first release, and what replaces them. */

/** By the words of the command; the longest match counts. */
const commands: Readonly<Record<string, string>> = {
  "partners usage": "usage --v1",
  "partners billing": "billing --v1 PARTNER",
  "emulator errors": "emulator control requests.errors",
  "emulator request": "emulator logs NUMBER",
  "emulator webhooks": "emulator control incomingCalls.list",
  "emulator limits": "emulator control limits.list",
  "emulator rows": "emulator control tables.rows TABLE",
  "emulator clock show": "emulator clock",
  "emulator clock due": "emulator clock",
  "emulator clock advance": "emulator clock +DURATION",
  "emulator clock set": "emulator clock TIME",
  "emulator clock mode": "emulator clock --mode MODE",
  "emulator keys show": "emulator control keys.get KEY",
  "emulator keys revoke": "emulator keys update KEY --status revoked",
  "emulator keys activate": "emulator keys update KEY --status active",
  "emulator distributors list": "emulator control distributors.list",
  "emulator distributors create": "emulator control distributors.create --data JSON",
  "emulator voices list": "emulator control voices.list",
  "emulator voices create": "emulator control voices.create --data JSON",
  "emulator voices update": "emulator control voices.update VOICE --data JSON",
  "emulator organizations": "emulator control --help",
  "emulator distributors": "emulator control --help",
  "emulator assistants": "emulator control --help",
  "emulator voices": "emulator control --help",
  "emulator calls": "emulator control --help",
  "emulator assistants list": "emulator control assistants.list",
  "emulator assistants set": "emulator control assistants.update ASSISTANT --data JSON",
  "emulator assistants update": "emulator control assistants.update ASSISTANT --data JSON",
  "emulator calls create": "emulator control calls.create --data JSON",
  "emulator coverage": "emulator control coverage.list",
  "emulator list": "emulator status",
  "emulator organizations list": "emulator control organizations.list",
  "emulator organizations create": "emulator control organizations.create --data JSON",
  "emulator organizations update": "emulator control organizations.update ORGANIZATION --data JSON",
  "emulator ui": "open emulator",
  "orgs tree": "orgs list --tree",
  "emulator calls show": "emulator control calls.get CALL",
  "calls test compare": "calls compare BEFORE AFTER",
  "completion install": "completion --install",
};

/** By the words of a command and the flag; the shortest command that matches counts. */
const flags: Readonly<Record<string, string>> = {
  "emulator --memory": "--port PORT",
  "--accept-shrink": "--max-delete NUMBER, with the exact number of deletions",
  "--protect-where": "--protect FILE",
  "contacts sync --source-command": "COMMAND > FILE && voxctl contacts sync FILE",
  "config --no-cache": "texts are read again when they change",
  "config --prune-kinds": "--prune=KINDS",
  "config --as-new": "moved: [{ to: KEY }] in the project file",
  "config --require-applied-to": "requires_applied_to: in the project file",
  "config pull --delete-files": "--prune",
  "config pull --include-unknown": "add the fields to a file under extra:",
  "calls list --created-from": "--from TIME",
  "calls list --created-to": "--to TIME",
  "subject --texts": "--details",
  "emulator faults add --delay-ms": "--delay DURATION",
  "calls recording download --output": "--out FILE",
  "calls recording download --output-dir": "--out DIRECTORY",
  "config diff --only-drift": "--only drift",
  "config diff --only-changed": "--only changed",
  "assistants webhook set --clear-auth": "--auth none",
  "assistants webhook set --clear-headers": '--header ""',
  "stats usage --year": "--week 2026-W47",
  "orgs create --external-organization-id": "--external-id ID",
  "orgs create --external-license-id": "--license LICENSE",
  "orgs create --parent-organization": "--parent ORGANIZATION",
  "orgs create --parent-organization-id": "--parent ORGANIZATION",
  "--late-window": "--settle DURATION",
  "--surface": "--api API",
  "--folder": "--directory DIRECTORY",
  "rehearse --keep-world": "--keep",
  "mirror create --exclude": "--include LIST",
  "emulator keys create --distributor": "emulator control keys.create --data JSON",
  "emulator keys create --organization": "emulator control keys.create --data JSON",
  "emulator keys create --version": "emulator control keys.create --data JSON",
  "emulator keys create --permission": "emulator control keys.create --data JSON",
  "emulator faults add --method": "emulator control faults.create --data JSON",
  "emulator faults add --skip": "emulator control faults.create --data JSON",
  "emulator logs --path": "--search PATH",
  "emulator logs --after": "emulator control requests.list --query after=NUMBER",
  "webhook listen --answer-anyway": "without --auth and --expect-header, every request is accepted",
  "webhook listen --count": "emulator incoming-call, once per call",
  "webhook listen --every": "emulator incoming-call, once per call",
  "webhook listen --prompt": "emulator incoming-call shows the prompt of a call",
  "webhook listen --answer-json": "--answer JSON",
  "webhook listen --assistant": "--auth TYPE",
  "webhook listen --emulate": "emulator incoming-call --assistant ASSISTANT",
  "webhook listen --from": "emulator incoming-call --from NUMBER",
  "webhook listen --tunnel-command": "--public-url URL",
  "webhook listen --verbose": "-o ndjson",
  "webhook send --assistant": "webhook send URL",
  "webhook replay --speed": "requests are sent without pauses",
  "webhook shape --force": "webhook shape DIRECTORY -o json > FILE",
  "webhook shape --out": "webhook shape DIRECTORY -o json > FILE",
  "webhook test --auth": "auth: in the contract file",
  "webhook test --secret": "auth: in the contract file",
  "webhook test --username": "auth: in the contract file",
  "webhook test --header-name": "auth: in the contract file",
  "webhook test --prompt": "expect: in the contract file",
  "webhook test --via-emulator": "emulator incoming-call --assistant ASSISTANT",
  "calls trigger --details-file": "--set details=@FILE",
  "legacy call --details-file": "--set details=@FILE",
  "calls recording download --resume": "the same command again resumes it",
  "orgs provision --show-equal": "--all",
  "mirror --expire": "--expires DURATION",
  "lint --fix-plan": "--plan FILE",
  "webhook send --body": "--data JSON",
  "api --paginate": "--all",
  "emulator explain --list": "emulator explain, without a flag",
  "emulator logs --errors": "--status error",
  "emulator logs --clear": "emulator control requests.clear",
  "emulator keys update --no-limits": "--limit none",
};

/** The command that replaces a former one; undefined for any other words. */
export function findCommandReplacement(words: readonly string[]): string | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(" ");
    if (Object.hasOwn(commands, name)) return commands[name];
  }
  return undefined;
}

/** What replaces a former flag of the command that `words` name; undefined for any other flag. */
export function findFlagReplacement(words: readonly string[], flag: string): string | undefined {
  for (let length = 0; length <= words.length; length += 1) {
    const name = [...words.slice(0, length), flag].join(" ");
    if (Object.hasOwn(flags, name)) return flags[name];
  }
  return undefined;
}
