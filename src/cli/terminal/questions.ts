/** Prompts on stderr. Every prompt throws an interrupted error (130) on Ctrl-C. */
export interface Prompts {
  /** Whether prompts are possible: stdin and stderr are terminals, and CI is unset. */
  readonly available: boolean;
  text(question: {
    message: string;
    required?: boolean;
    validate?: (value: string) => true | string | Promise<true | string>;
    /** Whether the reply is a confirmation. If so, earlier input is dropped. */
    confirms?: boolean;
  }): Promise<string>;
  secret(question: { message: string }): Promise<string>;
  /** Ignores input that was typed before the prompt is shown. */
  confirm(question: { message: string; default?: boolean }): Promise<boolean>;
  choose<T>(question: {
    message: string;
    choices: readonly { name: string; value: T; description?: string }[];
    search?: boolean;
    isFirstDefault?: boolean;
  }): Promise<T>;
}
