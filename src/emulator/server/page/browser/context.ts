import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Api } from "./api.js";
import type { Control } from "./control.js";
import type { Pulse } from "./pulse.js";
import type { Route } from "./route.js";
import type { Rulebook } from "./rulebook.js";

/** The services that each part of the page can use. */
export interface App {
  control: Control;
  api: Api;
  pulse: Pulse;
  rulebook: Rulebook;
  route: Route;
  /** Shows a message, which screen readers announce without interrupting. */
  notify(message: string): void;
  /** Runs a user's action and shows errors as an alert. Returns whether the action succeeded. */
  attempt(work: () => Promise<void>): Promise<boolean>;
  /** Asks for confirmation before a step that can't be undone. */
  confirm(question: Question): Promise<Consent | undefined>;
  /** Actions that need no further confirmation while the page is open. */
  allowed: Set<string>;
}

export interface Question {
  title: string;
  /** The text of the confirmation: what will happen or be lost. */
  text: string;
  /** The events that will occur. */
  list?: readonly string[];
  /** The label of the button that confirms. */
  action: string;
  /** Whether the action loses data. If so, its button is red. */
  isDestructive?: boolean;
  /** Label of a checkbox, for example to skip further confirmations. */
  choice?: string;
}

/** The result of a confirmation: whether the user checked the checkbox. */
export interface Consent {
  choice: boolean;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("outside of the page");
  return app;
}
