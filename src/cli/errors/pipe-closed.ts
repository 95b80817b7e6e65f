/** Thrown if the reader closed stdout (`| head`). It ends the command without a message. */
export class PipeClosed extends Error {
  override readonly name = "PipeClosed";
}
