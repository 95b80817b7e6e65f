import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Terminal {
  /** Types keys. Returns the arguments that the command received. */
  type(keys: string): Promise<string[]>;
  /** Ends the shell with `exit`. The shell must be waiting for a line. */
  close(): Promise<void>;
  /** Ends the shell, regardless of the text on its line. */
  kill(): Promise<void>;
}

export interface Home {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Path of the file to which the command of a line writes its arguments, one per line. */
  typed: string;
}

/** Each prompt has a number, which distinguishes a new prompt from a redrawn one. */
const prompt = (n: number | string) => `READY-${n}> `;
const startUp = {
  bash: (before: string) =>
    `. /usr/share/bash-completion/bash_completion\n${before}\nPROMPT_COMMAND='PS1="${prompt("$((++shown))")}"'\n`,
  zsh: (before: string) => `${before}\nprecmd() { PS1="${prompt("$((++shown))")}" }\n`,
};

export async function openTerminal(shell: "bash" | "zsh", { folder, env, typed }: Home): Promise<Terminal> {
  const file = join(folder, `.${shell}rc`);
  writeFileSync(file, startUp[shell](existsSync(file) ? readFileSync(file, "utf8") : ""));
  const child = spawn("script", ["-qec", `${shell} -i`, "/dev/null"], { cwd: folder, env });
  let screen = "";
  let prompts = 1;
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString("utf8");
  });
  const until = (done: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => finish(new Error(`waited in vain; the screen:\n${screen}`)), 30_000);
      const look = setInterval(() => done() && finish(), 10);
      const finish = (error?: Error) => {
        clearTimeout(timer);
        clearInterval(look);
        if (error) reject(error);
        else resolve();
      };
    });
  const ended = once(child, "close");
  const kill = async () => {
    child.kill();
    await ended;
  };
  const ready = () => until(() => screen.includes(prompt(prompts)));
  try {
    await ready();
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    async type(keys) {
      rmSync(typed, { force: true });
      child.stdin.write(keys);
      await until(() => existsSync(typed));
      prompts += 1;
      await ready();
      return readFileSync(typed, "utf8").trimEnd().split("\n");
    },
    async close() {
      child.stdin.end("exit\r");
      await ended;
    },
    kill,
  };
}
