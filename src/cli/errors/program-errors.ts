/** A flag's value is none that it takes. */
export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
}
