export class InvalidValue extends Error {
  override readonly name = "InvalidValue";
}
