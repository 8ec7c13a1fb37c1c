/** Describes the ports gained and lost between two sets of open ports. */
import type { IpVersion } from '@steading/api/rules'
import { allProtocols } from './changed-rules.ts'
import {
  icmpOfPort,
  isIcmp,
  type Ports,
  type Protocol,
  samePorts,
  type Span,
  without,
} from './selection.ts'

const versions = ['v4', 'v6'] as const

export interface ChangedTraffic {
  protocol: Protocol
  ip_versions: IpVersion[]
  /** Like `22` or `80-443`; ICMP types with codes, like `8` or `3/0-4`. Empty: all. */
  ports: string[]
}

export interface Difference {
  gained: ChangedTraffic[]
  lost: ChangedTraffic[]
}

/** Open ports of each protocol; none if absent. */
export type Open = Partial<Record<Protocol, Ports>>

/** ICMP types with their codes: `8`, `0-255` or `3/0-4`. */
function icmpTexts([first, last]: Span): string[] {
  const texts: string[] = []
  for (let from = first; from <= last;) {
    const { type, code } = icmpOfPort(from)
    const end = icmpOfPort(last)
    const whole = code === 0 && (end.type > type || end.code === 255)
    if (whole) {
      const lastType = end.code === 255 ? end.type : end.type - 1
      texts.push(lastType === type ? `${type}` : `${type}-${lastType}`)
      from = (lastType + 1) * 256
    } else {
      const lastCode = end.type > type ? 255 : end.code
      texts.push(lastCode === code ? `${type}/${code}` : `${type}/${code}-${lastCode}`)
      from = type * 256 + lastCode + 1
    }
  }
  return texts
}

const portTexts = (protocol: Protocol, ports: Ports): string[] => {
  const [span] = ports
  if (ports.length === 1 && span![1] === 65_535 && span![0] <= 1) return []
  return isIcmp(protocol)
    ? ports.flatMap(icmpTexts)
    : ports.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
}

export function differenceOf(
  before: Record<IpVersion, Open>,
  after: Record<IpVersion, Open>,
): Difference {
  const side = (from: Record<IpVersion, Open>, to: Record<IpVersion, Open>): ChangedTraffic[] => {
    const found: (ChangedTraffic & { spans: Ports })[] = []
    for (const version of versions) {
      for (const protocol of allProtocols) {
        const spans = without(to[version][protocol] ?? [], from[version][protocol] ?? [])
        if (spans.length === 0) continue
        const same = found.find((one) => one.protocol === protocol && samePorts(one.spans, spans))
        if (same) same.ip_versions.push(version)
        else {
          const ports = portTexts(protocol, spans)
          found.push({ protocol, ip_versions: [version], ports, spans })
        }
      }
    }
    return found.map(({ protocol, ip_versions, ports }) => ({ protocol, ip_versions, ports }))
  }
  return { gained: side(before, after), lost: side(after, before) }
}
