/** Clocks of servers and hosts, compared with the clock that a cloud goes by. */

/** A clock that is further from that of the database is wrong, or the other one is. Seconds. */
export const CLOCK_APART_MAX = 60

/** @param seconds by which it is ahead */
export const isClockApart = (seconds: number): boolean => Math.abs(seconds) > CLOCK_APART_MAX

/** How far a clock is from another one, in words. */
export const clockShift = (seconds: number): string =>
  `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? 'ahead' : 'behind'}`

/** How far a clock is from that of the database, in words. */
export const clockDifference = (seconds: number): string =>
  `${clockShift(seconds)}${seconds > 0 ? ' of' : ''} the clock of the database`

/** Consequences of a wrong clock of a machine, although its server goes by that of the database. */
export const CLOCK_APART_EFFECT =
  'servers go by the clock of the database, but certificates, sign-ins by OpenID Connect and the log go by that of the machine'
/** Consequences of the wrong clock of a host. */
export const HOST_CLOCK_APART_EFFECT =
  'its instances start with that time, and it may refuse certificates that are valid'
export const CLOCK_APART_ADVICE =
  'synchronize the clocks of this machine and of the database by NTP'
