/** The reader of stdout went away (`| head`): the command ends quietly. */
export class PipeClosed extends Error {
  override readonly name = "PipeClosed";
}
