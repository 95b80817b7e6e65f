import { type Io, streamOf } from "../../base/io.js";
import { escapeControl } from "../../base/text.js";
import { interruptedError, refusedError } from "../errors/errors.js";
import type { Notes } from "./notes.js";
import { createPlainPrompts } from "./plain-prompts.js";
import type { Prompts } from "./questions.js";
import { dropTypedAhead } from "./typed-ahead.js";
import { wrapAtWords } from "./wrap.js";

/** Cells in a prompt's line for everything except the message: marks, choices and a short reply. */
const marksWidth = 12;

/** The library's own mark for an answered prompt is a green tick, even if the answer is "No". */
const theme = { prefix: { done: "?" } };

/** @param plain prompts line by line, even if the terminal can redraw */
export function createPrompts(
  io: Io,
  notes: Pick<Notes, "note" | "write" | "columns">,
  signal: AbortSignal,
  plain = false,
): Prompts {
  const inCi = io.env.CI !== undefined && io.env.CI !== "" && io.env.CI !== "false";
  // Check only on use, because opening stdin takes time.
  const isAvailable = () => !inCi && io.stderr.isTTY === true && io.stdin.isTTY === true;
  if (plain || io.env.TERM === "dumb") return createPlainPrompts(io, notes, signal, isAvailable);

  const ask = async <T>(
    question: (
      library: Pick<
        typeof import("@inquirer/prompts"),
        "confirm" | "input" | "password" | "search" | "select"
      >,
      context: { input: Io["stdin"]; output: NodeJS.WritableStream; signal: AbortSignal },
    ) => Promise<T>,
    { confirms = false } = {},
  ): Promise<T> => {
    if (!isAvailable())
      throw refusedError("confirmation_required", "input required, but stdin is not a terminal");
    // Import prompts by name, so that the bundle omits the editor prompt, which is larger than all other prompts.
    const { confirm, input, password, search, select } = await import("@inquirer/prompts");
    if (confirms) await dropTypedAhead(io, signal);
    try {
      return await question(
        { confirm, input, password, search, select },
        { input: io.stdin, output: streamOf(io.stderr), signal },
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError"))
        throw interruptedError("SIGINT");
      throw error;
    }
  };

  // The library would break lines within words.
  const format = (text: string) => wrapAtWords(escapeControl(text), notes.columns - marksWidth);
  const toQuestion = (message: string) => ({ message: format(message), theme });

  return {
    get available() {
      return isAvailable();
    },
    text: ({ message, required, validate, confirms }) =>
      ask(
        (library, context) =>
          library.input(
            {
              ...toQuestion(message),
              ...(required === undefined ? {} : { required }),
              ...(validate ? { validate: formatComplaint(validate, format) } : {}),
            },
            context,
          ),
        { confirms },
      ),
    secret: ({ message }) =>
      ask((library, context) => library.password({ ...toQuestion(message), mask: true }, context)),
    confirm: ({ message, default: preset = true }) =>
      ask((library, context) => library.confirm({ ...toQuestion(message), default: preset }, context), {
        confirms: true,
      }),
    choose: ({ message, choices, search }) => {
      const question = toQuestion(message);
      const shown = choices.map(({ name, value, description }) => ({
        name: escapeControl(name),
        value,
        ...(description ? { description: format(description) } : {}),
      }));
      return ask((library, context) =>
        search
          ? library.search({ ...question, source: (term) => findMatching(shown, term ?? "") }, context)
          : library.select({ ...question, choices: shown }, context),
      );
    },
  };
}

type Validate = NonNullable<Parameters<Prompts["text"]>[0]["validate"]>;

function formatComplaint(validate: Validate, format: (text: string) => string): Validate {
  return async (value) => {
    const complaint = await validate(value);
    return typeof complaint === "string" ? format(complaint) : complaint;
  };
}

function findMatching<Choice extends { name: string; description?: string }>(
  choices: readonly Choice[],
  term: string,
): Choice[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ""] = words;
  const begins = ({ name }: Choice) => (name.toLowerCase().startsWith(first) ? 0 : 1);
  return choices
    .filter(({ name, description = "" }) =>
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
    )
    .sort((left, right) => begins(left) - begins(right));
}
