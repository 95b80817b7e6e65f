import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Flag, Input } from "./command.js";
import { readAll } from "./derive/body.js";
import { usageError } from "./errors.js";
import type { Session } from "./session.js";

/** The flags that say where a secret comes from. None takes its value: a command line can be read by others. */
export function secretFlags(name: string): Flag[] {
  return [
    { name, description: `ask for the ${name}; --no-${name} takes it away`, negatable: true },
    { name: `${name}-stdin`, description: `read the ${name} from standard input` },
    { name: `${name}-file`, value: "file", description: `read the ${name} from this file` },
    {
      name: `${name}-env`,
      value: "variable",
      description: `take the ${name} from this environment variable`,
    },
  ];
}

/**
 * The secret that the flags name, without the line break at its end: undefined where none does, null where it is to
 * be taken away.
 * @throws usage error (2)
 */
export async function readSecret(
  name: string,
  input: Input,
  session: Pick<Session, "io" | "prompts">,
): Promise<string | null | undefined> {
  const given = ["", "-stdin", "-file", "-env"].map((end) => name + end).filter((flag) => input.has(flag));
  const [first, second] = input.on(name) === false ? [`no-${name}`, ...given] : given;
  if (first === undefined) return undefined;
  if (second !== undefined) throw usageError(`--${first} and --${second} exclude each other`);
  if (first === `no-${name}`) return null;
  const secret = (await readFrom(first.slice(name.length), name, input, session)).replace(/\r?\n$/, "");
  if (secret === "") throw usageError(`--${first}: the ${name} is empty`);
  return secret;
}

async function readFrom(
  source: string,
  name: string,
  input: Input,
  { io, prompts }: Pick<Session, "io" | "prompts">,
): Promise<string> {
  const value = input.text(name + source) ?? "";
  switch (source) {
    case "-stdin":
      return readAll(io.stdin);
    case "-file":
      return readFile(resolve(io.cwd, value), "utf8").catch((cause: unknown) => {
        throw usageError(`--${name}-file ${value}: the file can't be read`, { cause });
      });
    case "-env":
      return io.env[value] ?? "";
    default:
      if (!prompts.available) {
        throw usageError(`--${name} needs a terminal to ask at`, {
          hint: `elsewhere give --${name}-stdin, --${name}-file or --${name}-env`,
        });
      }
      return prompts.secret({ message: `${name}:` });
  }
}
