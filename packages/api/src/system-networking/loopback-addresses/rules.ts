/** Rules of the switches' loopback addresses (control plane 10.2). */
export const loopbackMessages = {
  /** A prefix longer than the address. */
  invalid: 'invalid address',
  /** The same, as a form error. */
  tooLong: 'The prefix is longer than the address',
  /** The path of a deletion contains no valid address. */
  invalidPath: 'invalid ip address',
} as const
