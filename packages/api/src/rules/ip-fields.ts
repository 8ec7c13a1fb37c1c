/** Form messages for addresses and networks, where the person is still typing. */
import { addressBits, type IpVersion, ipVersion, ipVersionName } from './ip.ts'

export const ipFieldProblem = (text: string): string | undefined =>
  ipVersion(text) ? undefined : 'Not a valid IP address'

/** Host bits may be set here, and the width may have leading zeros. */
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

/** The version of a network that has no problem. */
export const cidrVersion = (text: string): IpVersion | undefined => ipVersion(text.split('/')[0]!)
