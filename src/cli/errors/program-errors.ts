/** Thrown for an invalid flag value. */
export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
}
