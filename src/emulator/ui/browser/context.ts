import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Api } from "./api.js";
import type { Control } from "./control.js";
import type { Pulse } from "./pulse.js";
import type { Route } from "./route.js";
import type { Rulebook } from "./rulebook.js";

/** The services that each part of the page may use. */
export interface App {
  control: Control;
  api: Api;
  pulse: Pulse;
  rulebook: Rulebook;
  route: Route;
  /** Says something to those who read and those who listen, politely. */
  notify(message: string): void;
  /** Runs an action of the user, and shows an error as an alert. Returns whether it succeeded. */
  attempt(work: () => Promise<void>): Promise<boolean>;
  /** Asks for confirmation before a step that can't be undone. */
  confirm(question: Question): Promise<Consent | undefined>;
  /** The acts that were allowed without being asked again, as long as the page is open. */
  allowed: Set<string>;
}

export interface Question {
  title: string;
  /** The text of the confirmation: what will happen or be lost. */
  text: string;
  /** Events that will happen, as a list. */
  list?: readonly string[];
  /** On the button that does it. */
  action: string;
  /** A choice that goes with it. */
  choice?: string;
}

/** A confirmation, and whether its option was checked. */
export interface Consent {
  choice: boolean;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("outside of the page");
  return app;
}
