import { spawn } from "node:child_process";
import type { Io } from "../../../base/io.js";

/** The program that shows an address: $BROWSER, else the system's own. */
function opener(env: Io["env"], platform: NodeJS.Platform): readonly [program: string, ...args: string[]] {
  if (env.BROWSER) return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  // `start` would read an address's & as its own.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Shows an address in the browser of this machine. Answers whether its program could be started. */
export function openInBrowser(url: string, env: Io["env"], platform = process.platform): Promise<boolean> {
  const [program, ...args] = opener(env, platform);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { env, stdio: "ignore", detached: true, windowsHide: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
