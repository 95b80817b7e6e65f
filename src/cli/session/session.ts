import type { Clock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import type { Random } from "../../base/random.js";
import type { Client, ClientOptions } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { Emulator } from "../../emulator/types.js";
import type { Step } from "../../write/journal/journal.js";
import type { Output } from "../output/output.js";
import type { Folders } from "../profiles/folders.js";
import type { Keychain } from "../profiles/keychain.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { Notes } from "../terminal/notes.js";
import type { Prompts } from "../terminal/questions.js";
import type { CommandTree } from "./command-tree.js";
import type { ConfirmationOptions } from "./confirm.js";
import type { GlobalFlags } from "./globals.js";
import type { ParsedLine } from "./input.js";
import type { Secrets } from "./secrets.js";

export interface Connection {
  readonly profile: ChosenProfile;
  readonly client: Client;
  /** Clock for the client's waits: the embedded emulator's clock, otherwise the system clock. */
  readonly clock: Clock;
  /** The client's options. Bulk runs create their own client with different limits and listeners. */
  readonly clientOptions: ClientOptions;
  baseUrl(api: ApiName): string | undefined;
  /** The embedded emulator, if the profile is offline and no server has its database open. */
  readonly emulator: Emulator | undefined;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Whether the command changes data. If so, a script without a chosen profile gets a refused error (12). */
  mutates?: boolean;
  /** Omits notes about waits, because the command itself shows the waits. */
  quiet?: boolean;
  /**
   * Whether the command repairs webhooks itself. Other commands warn about webhooks that a killed command
   * left changed.
   */
  restoresWebhooks?: boolean;
}

/** `main` creates one session per run. */
export interface Session {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly output: Output;
  readonly notes: Notes;
  readonly prompts: Prompts;
  readonly folders: Folders;
  readonly keychain: Keychain;
  /** Secrets to mask in output. A command must add each secret immediately after reading the secret. */
  readonly secrets: Secrets;
  /** System clock. The emulator's clock is `connection.clock`. */
  readonly clock: Clock;
  /** Returns an estimate of the service's current time in milliseconds. */
  serviceNow(): number;
  /** Returns whether any response in this run came from an emulator. */
  isEmulator(): boolean;
  readonly random: Random;
  readonly onJournalStep: ((step: Step) => void) | undefined;
  /**
   * Signal that is aborted on SIGINT and SIGTERM, with the error from `interruptedError` as its reason. Until
   * a command reads this property or connects, a signal ends the command immediately.
   */
  readonly signal: AbortSignal;
  /**
   * Runs `work`, which waits for a program. voxctl and the program receive signals, and only the third signal
   * ends voxctl.
   * @param onRepeated called at the second signal; default: prints a note
   */
  awaitProgram<T>(work: () => Promise<T>, onRepeated?: () => void): Promise<T>;
  /** @param name overrides the user's choice; allowed only in the first call */
  profile(name?: string): Promise<ChosenProfile>;
  /** Opens the service once per run; `main` closes the connection. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** Connects to any profile, even one that is not stored. The caller must close the connection. */
  reach(profile: ChosenProfile): Promise<Connection>;
  /**
   * Fails early if a destructive command was not confirmed with a flag and voxctl can't prompt.
   * @throws refused error (12) that names the flag
   */
  assertConfirmable(options?: ConfirmationOptions): Promise<void>;
  /** Returns whether the user has confirmed the command with a flag. `confirm` then doesn't prompt. */
  isConfirmed(): Promise<boolean>;
  /**
   * Asks for confirmation of a destructive or large change. `--yes` confirms it; a production profile
   * requires `--confirm=<name>`.
   * @throws refused error (12) if the session is not interactive or the reply is no
   */
  confirm(question: string, options?: ConfirmationOptions): Promise<void>;
  readonly commandPath: readonly string[];
  commands(): Promise<CommandTree>;
  /** @throws usage error (2) */
  parseLine(words: readonly string[]): Promise<ParsedLine>;
  /** Command that starts voxctl as a separate process; undefined in the library. */
  readonly ownProgram: { program: string; args: readonly string[] } | undefined;
  /** Names by ID that this command has read, so that tables can show names without a request. */
  readonly names: Map<string, string>;
}
