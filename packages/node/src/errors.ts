/** A problem for the operator to solve. Printed on one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
