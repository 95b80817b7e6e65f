import type { Io } from "../../base/io.js";
import { interruptedError, refusedError } from "../errors/errors.js";
import type { Notes } from "./notes.js";
import { styled } from "./paint.js";
import type { Prompts } from "./questions.js";
import { dropTypedAhead, setRawMode } from "./typed-ahead.js";

/**
 * For screen readers and terminals that can't redraw: the cursor never moves, and choices are a numbered
 * list.
 */
export function createPlainPrompts(
  io: Io,
  notes: Pick<Notes, "note" | "write">,
  signal: AbortSignal,
  isAvailable: () => boolean,
): Prompts {
  const line = async (message: string, { confirms = false } = {}): Promise<string> => {
    if (!isAvailable())
      throw refusedError("confirmation_required", "input required, but stdin is not a terminal");
    signal.throwIfAborted();
    const { createInterface } = await import("node:readline");
    if (confirms) await dropTypedAhead(io, signal);
    notes.write(styled`${message} `);
    return new Promise((resolve, reject) => {
      // Let the terminal echo and edit the line.
      const reader = createInterface({ input: io.stdin, terminal: false });
      const end = (finish: () => void) => {
        signal.removeEventListener("abort", stop);
        reader.removeAllListeners();
        reader.close();
        finish();
      };
      const stop = () => {
        notes.write("\n");
        end(() => reject(signal.reason));
      };
      signal.addEventListener("abort", stop, { once: true });
      reader.once("line", (text) => end(() => resolve(text)));
      reader.once("close", () => end(() => reject(interruptedError("SIGINT"))));
    });
  };

  const text: Prompts["text"] = async ({ message, required, validate, confirms }) => {
    for (;;) {
      const reply = await line(message, { confirms });
      const complaint =
        reply === "" && required ? "a value is required" : ((await validate?.(reply)) ?? true);
      if (complaint === true) return reply;
      notes.note(complaint);
    }
  };

  return {
    get available() {
      return isAvailable();
    },
    text,
    secret: ({ message }) => {
      if (!isAvailable())
        throw refusedError("confirmation_required", "input required, but stdin is not a terminal");
      notes.write(styled`${message} (hidden) `);
      return hidden(io, signal).finally(() => notes.write("\n"));
    },
    async confirm({ message, default: preset = true }) {
      for (;;) {
        const question = `${message} (${preset ? "Y/n" : "y/N"})`;
        const reply = (await line(question, { confirms: true })).trim().toLowerCase();
        if (reply === "") return preset;
        if (["y", "yes"].includes(reply)) return true;
        if (["n", "no"].includes(reply)) return false;
        notes.note("Enter y or n.");
      }
    },
    async choose({ message, choices, isFirstDefault }) {
      for (const [index, { name, description }] of choices.entries())
        notes.note(`${index + 1}. ${description ? `${name}: ${description}` : name}`);
      const preset = isFirstDefault ? choices[0] : undefined;
      const how = preset === undefined ? "number or name" : `number or name, Enter for ${preset.name}`;
      for (;;) {
        const reply = (await line(`${message} (${how})`)).trim();
        if (reply === "" && preset !== undefined) return preset.value;
        const chosen = /^\d+$/.test(reply)
          ? choices[Number(reply) - 1]
          : choices.find(({ name }) => name.toLowerCase() === reply.toLowerCase());
        if (chosen) return chosen.value;
        notes.note(`Enter a number from 1 to ${choices.length}, or a name from the list.`);
      }
    },
  };
}

/** Reads a line that the terminal does not show. @throws interrupted error (130) */
function hidden({ stdin }: Io, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = (finish: () => void) => {
      signal.removeEventListener("abort", stop);
      stdin.off("data", read);
      stdin.pause();
      setRawMode(stdin, false);
      finish();
    };
    const stop = () => end(() => reject(signal.reason));
    const read = (chunk: Buffer | string) => {
      for (const character of chunk.toString()) {
        if (character === "\r" || character === "\n") return end(() => resolve(typed));
        if (character === "\u0003" || character === "\u0004")
          return end(() => reject(interruptedError("SIGINT")));
        if (character === "\u007f" || character === "\b") typed = typed.slice(0, -1);
        else typed += character;
      }
    };
    signal.addEventListener("abort", stop, { once: true });
    setRawMode(stdin, true);
    stdin.on("data", read);
    stdin.resume();
  });
}
