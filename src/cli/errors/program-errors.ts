/** A flag's value that it does not take. */
export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
}
