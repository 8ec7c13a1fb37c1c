/** A time some days ahead or behind: no test gets there. */
export const daysFromNow = (days: number): Date =>
  new Date(new Date().getTime() + days * 24 * 60 * 60 * 1000)
