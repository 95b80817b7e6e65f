import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Api } from "./api.js";
import type { Control } from "./control.js";
import type { Pulse } from "./pulse.js";
import type { Route } from "./route.js";
import type { Rulebook } from "./rulebook.js";

/** The services available to each part of the page. */
export interface App {
  control: Control;
  api: Api;
  pulse: Pulse;
  rulebook: Rulebook;
  route: Route;
  /** Shows a message, and has screen readers announce it without interrupting. */
  notify(message: string): void;
  /** Runs an action of the user and shows an error as an alert. Returns whether it succeeded. */
  attempt(work: () => Promise<void>): Promise<boolean>;
  /** Asks for confirmation before a step that can't be undone. */
  confirm(question: Question): Promise<Consent | undefined>;
  /** The actions that need no confirmation as long as the page is open. */
  allowed: Set<string>;
}

export interface Question {
  title: string;
  /** The text of the confirmation: what will happen or be lost. */
  text: string;
  /** The events that will occur, as a list. */
  list?: readonly string[];
  /** The label of the button that confirms. */
  action: string;
  /** The label of the option to skip further confirmations. */
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
