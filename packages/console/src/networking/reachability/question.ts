/** What a question means, and what is wrong with it. */
import type { Args, ReachabilityEnd, ReachabilityQuestion } from '@steading/api/client'
import { ipVersion } from '@steading/api/rules'
import type { QuestionSearch } from './search.ts'

/** An end of a question that is everything outside of the cloud. */
export const INTERNET_END = 'internet'

/** An end of a question that is an instance, as it stands in the address of a page. */
const INSTANCE = 'instance:'

export const instanceEnd = (instance: string, nic?: string): string =>
  INSTANCE + instance + (nic ? `/${nic}` : '')

/** The instance, and perhaps the interface, of an end that is one. */
export function readInstance(end: string): { instance: string; nic?: string } | undefined {
  if (!end.startsWith(INSTANCE)) return undefined
  const [instance = '', nic] = end.slice(INSTANCE.length).split('/')
  return { instance, ...(nic ? { nic } : {}) }
}

/** What is wrong with an end; undefined if nothing is. */
export function endProblem(end: string, label: string): string | undefined {
  if (!end) return `${label} is required`
  if (end === INTERNET_END || readInstance(end)?.instance || ipVersion(end)) return undefined
  return 'Choose an instance or the internet, or enter an IP address'
}

const isIn = (value: number, min: number, max: number): boolean => value >= min && value <= max

export const portProblem = (port: number | undefined): string | undefined =>
  port !== undefined && isIn(port, 1, 65_535) ? undefined : 'Enter a port from 1 to 65535'

/** Of an ICMP type or code, which may be left out. */
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

/** @returns undefined if an address holds no whole question */
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
