/** What messages call an input that was given by this name. */
export function inputName(name: string): string {
  return name === "-" ? "standard input" : name;
}
