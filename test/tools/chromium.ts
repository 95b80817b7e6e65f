import { type Browser, chromium } from "playwright-core";
import { findProgram } from "./programs.js";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--autoplay-policy=no-user-gesture-required",
  // All hosts except the emulator are unreachable.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Launches the system's headless Chromium. Call `findMissingPrograms("chromium")` first. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram("chromium") ?? "", args: flags });
}
