import { createClock } from "./clock.js";
import { createControl } from "./control.js";
import { byId, fill } from "./dom.js";
import { createFaults } from "./faults.js";
import { createLimits } from "./limits.js";
import { createOrganizations } from "./organizations.js";
import { createRequests } from "./requests.js";
import { createResources } from "./resources.js";
import { rowOf, text } from "./rows.js";
import { createRulebook } from "./rulebook.js";
import { createRules } from "./rules.js";
import type { Surroundings, View } from "./view.js";

/** So often it reads what is shown. */
const pollMilliseconds = 1_000;

function start(): void {
  // The ticket is used up; what stays in the history is the page.
  if (location.search !== "") history.replaceState(null, "", location.pathname + location.hash);

  const main = byId("main");
  const news = byId("news");
  const trouble = byId("trouble");
  let worldId = "";
  let isAnotherWorld = false;

  const control = createControl((id) => {
    if (worldId !== "" && id !== worldId) isAnotherWorld = true;
    worldId = id;
  });

  let isPollError = false;
  const attempt = async (work: () => Promise<void>, isPoll = false) => {
    try {
      await work();
      // A message about a person's own action stays until the next action.
      if (trouble.textContent !== "" && (!isPoll || isPollError)) fill(trouble);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      isPollError = isPoll;
      // Said once, not with every poll.
      if (trouble.textContent !== message) fill(trouble, message);
    }
  };
  const surroundings: Surroundings = {
    control,
    attempt: (work) => attempt(work),
    tell: (message) => fill(news, message),
  };
  const rulebook = createRulebook(control);
  const first = createRequests(surroundings, rulebook);
  const views: readonly View[] = [
    first,
    createOrganizations(surroundings),
    createFaults(surroundings),
    createLimits(surroundings),
    createResources(surroundings),
    createRules(surroundings, rulebook),
  ];
  let current: View | undefined;

  async function showWorld(): Promise<void> {
    const status = rowOf(await control.get("/status"));
    fill(byId("world"), `${text(status, "db")}, voxctl ${text(status, "version")}`);
  }

  /** Shows what the address says. */
  function follow(isStart: boolean): void {
    const [name = "", detail = ""] = location.hash.slice(1).split("/").map(decoded);
    const view = views.find((one) => one.name === name) ?? first;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.getAttribute("href") === `#${view.name}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const isOther = view !== current;
    current = view;
    if (isOther) {
      fill(main, view.element);
      fill(news);
    }
    view.open?.(detail);
    document.title = `${view.name[0]?.toUpperCase()}${view.name.slice(1)} · Emulator`;
    // A listener hears the present address; at the start the page itself is read.
    if (isOther && !isStart) view.element.querySelector("h2")?.focus();
    void attempt(view.refresh);
  }

  async function beginAnew(): Promise<void> {
    isAnotherWorld = false;
    for (const view of views) view.clear?.();
    surroundings.tell("The world was reset or restored.");
    await Promise.all([current?.refresh(), showWorld()]);
  }

  const clock = createClock(byId("clock"), surroundings, async () => current?.refresh());

  async function poll(): Promise<void> {
    if (document.visibilityState === "visible") {
      await attempt(async () => {
        await clock.refresh();
        if (isAnotherWorld) await beginAnew();
        else if (current?.live) await current.refresh();
      }, true);
    }
    setTimeout(poll, pollMilliseconds);
  }

  window.addEventListener("hashchange", () => {
    // The skip link's target is no view.
    if (location.hash === "#main") return;
    follow(false);
  });
  follow(true);
  void attempt(showWorld);
  void poll();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

start();
