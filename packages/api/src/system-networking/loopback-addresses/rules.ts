/** Rules about loopback addresses of switches (control plane 10.2). */
export const loopbackMessages = {
  /** A prefix that is longer than the address. */
  invalid: 'invalid address',
  /** The same, said in a form. */
  tooLong: 'The prefix is longer than the address',
  /** The path of a deletion that names no address. */
  invalidPath: 'invalid ip address',
} as const
