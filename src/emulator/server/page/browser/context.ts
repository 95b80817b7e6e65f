import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Api } from "./api.js";
import type { Control } from "./control.js";
import type { Pulse } from "./pulse.js";
import type { Route } from "./route.js";
import type { Rulebook } from "./rulebook.js";

export interface App {
  control: Control;
  api: Api;
  pulse: Pulse;
  rulebook: Rulebook;
  route: Route;
  /** Screen readers announce the message without interrupting. */
  notify(message: string): void;
  /** Shows the action's errors, and returns whether the action succeeded. */
  attempt(work: () => Promise<void>): Promise<boolean>;
  confirm(question: Question): Promise<Consent | undefined>;
  /** Actions for which the user turned off the confirmation until the page is closed. */
  allowed: Set<string>;
}

export interface Question {
  title: string;
  text: string;
  list?: readonly string[];
  action: string;
  isDestructive?: boolean;
  choice?: string;
}

export interface Consent {
  choice: boolean;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("useApp was called outside AppContext");
  return app;
}
