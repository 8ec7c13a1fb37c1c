/** Parsing and validation of questions. */
import type { Args, ReachabilityEnd, ReachabilityQuestion } from '@steading/api/client'
import { ipVersion } from '@steading/api/rules'
import { INTERNET_END, readInstance } from './ends.ts'
import type { QuestionSearch } from './search.ts'

/** Why an end is invalid; undefined if it is valid. */
export function endProblem(end: string, label: string): string | undefined {
  if (!end) return `${label} is required`
  if (end === INTERNET_END || readInstance(end)?.instance || ipVersion(end)) return undefined
  return 'Choose an instance or the internet, or enter an IP address'
}

const isIn = (value: number, min: number, max: number): boolean => value >= min && value <= max

export const portProblem = (port: number | undefined): string | undefined =>
  port !== undefined && isIn(port, 1, 65_535) ? undefined : 'Enter a port from 1 to 65535'

/** Why an ICMP type or code is invalid; both are optional. */
export const icmpProblem = (value: number | undefined): string | undefined =>
  value === undefined || isIn(value, 0, 255) ? undefined : 'Enter a number from 0 to 255'

const endOf = (end: string): ReachabilityEnd => {
  const named = readInstance(end)
  if (named) {
    const { instance, nic } = named
    return { type: 'instance', instance, ...(nic ? { interface: nic } : {}) }
  }
  return end === INTERNET_END ? { type: 'internet' } : { type: 'address', address: end }
}

/** @returns undefined if the question in the URL is incomplete */
export function questionOf(
  project: string,
  search: QuestionSearch,
): Args<'reachabilityTest'> | undefined {
  const { from = '', to = '', protocol = 'tcp', port, type, code, version, vpc } = search
  if (endProblem(from, 'From') || endProblem(to, 'To')) return undefined
  const icmp = protocol === 'icmp'
  if (icmp ? icmpProblem(type) || icmpProblem(code) : portProblem(port)) return undefined
  const body: ReachabilityQuestion = {
    from: endOf(from),
    to: endOf(to),
    protocol,
    ...(icmp ? {} : { port: port! }),
    ...(icmp && type !== undefined ? { icmpType: type } : {}),
    ...(icmp && type !== undefined && code !== undefined ? { icmpCode: code } : {}),
    ...(version ? { ipVersion: version } : {}),
  }
  return { query: { project, ...(vpc ? { vpc } : {}) }, body }
}
