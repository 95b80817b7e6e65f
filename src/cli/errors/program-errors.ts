/** Thrown for an invalid value of a flag. */
export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
}
