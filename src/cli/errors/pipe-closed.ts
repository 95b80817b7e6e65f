/** The reader of stdout closed it (`| head`): the command ends silently. */
export class PipeClosed extends Error {
  override readonly name = "PipeClosed";
}
