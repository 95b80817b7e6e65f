/** Thrown if the reader closed stdout (`| head`). The command then ends silently. */
export class PipeClosed extends Error {
  override readonly name = "PipeClosed";
}
