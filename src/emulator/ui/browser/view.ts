import type { Control } from "./control.js";

/** The properties of every view. */
export interface Surroundings {
  control: Control;
  /** Says something to who reads and who listens, politely. */
  tell(message: string): void;
  /** Runs what a person asked for; what goes wrong is told, as an alert. */
  attempt(work: () => Promise<void>): Promise<void>;
}

/** One of the page's views. It is made once and keeps what it shows while others are looked at. */
export interface View {
  /** Its name in the navigation, and its part of the address. */
  name: string;
  element: HTMLElement;
  /** Reads what it shows anew: when it is opened, and while it is open. */
  refresh(): Promise<void>;
  /** Does it read so often, or only when it is opened? */
  live: boolean;
  /** Opens what the address says after the view's name. */
  open?(detail: string): void;
  /** Forgets what it showed: the world is another one. */
  clear?(): void;
}
