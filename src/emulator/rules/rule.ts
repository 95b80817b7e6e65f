/** Rules by id, each in a sentence or two: what the service does, not how the emulator does it. */
export type RuleTexts = Readonly<Record<string, string>>;
