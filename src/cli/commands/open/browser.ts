import { spawn } from "node:child_process";
import type { Io } from "../../../base/io.js";
import { splitWords } from "../../../base/shell-words.js";
import { toChildEnvironment } from "../../session/child-environment.js";

function findOpener(
  env: Io["env"],
  platform: NodeJS.Platform,
): readonly [program: string, ...args: string[]] {
  const named = env.BROWSER ?? "";
  // On Windows, a backslash in a path is not an escape character.
  const [program, ...args] = platform === "win32" && named !== "" ? [named] : splitWords(named);
  if (program !== undefined) return [program, ...args];
  if (platform === "darwin") return ["open"];
  // `start` would interpret & in a URL.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

export function openInBrowser(url: string, env: Io["env"], platform = process.platform): Promise<boolean> {
  const [program, ...args] = findOpener(env, platform);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], {
      env: toChildEnvironment(env),
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
