/** Form errors for addresses and networks that are still being typed. */
import { addressBits, type IpVersion, ipVersion, ipVersionName } from './ip.ts'

export const ipFieldProblem = (text: string): string | undefined =>
  ipVersion(text) ? undefined : 'Not a valid IP address'

/** Allows host bits, and leading zeros in the width. */
export function cidrFieldProblem(text: string): string | undefined {
  const [address = '', width = '', ...more] = text.split('/')
  const version = ipVersion(address)
  if (!version || width.trim() === '' || more.length > 0) {
    return 'Must contain an IP address and a width, separated by a /'
  }
  if (!/^\d+$/.test(width)) return 'Width must be an integer'
  return Number(width) > addressBits[version]
    ? `Max width for ${ipVersionName[version]} is ${addressBits[version]}`
    : undefined
}

/** IP version of a valid network. */
export const cidrVersion = (text: string): IpVersion | undefined => ipVersion(text.split('/')[0]!)
