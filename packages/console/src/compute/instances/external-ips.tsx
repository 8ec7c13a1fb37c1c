import type { ExternalIp } from '@steading/api/client'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Truncate } from '../../ui/text.tsx'

const order = { floating: 0, ephemeral: 1, snat: 2 }

/** Sorts external IPs: floating, ephemeral, SNAT. */
export const sortExternalIps = (ips: ExternalIp[]): ExternalIp[] =>
  ips.toSorted((a, b) => order[a.kind] - order[b.kind])

/** Addresses that accept inbound traffic, floating IPs first. */
export const reachableIps = (ips: ExternalIp[]): ExternalIp[] =>
  sortExternalIps(ips.filter(({ kind }) => kind !== 'snat'))

export const ipVersion = (ip: string): 'v4' | 'v6' => (ip.includes(':') ? 'v6' : 'v4')

export const ipUrl = (ip: string): string => `https://${ip.includes(':') ? `[${ip}]` : ip}`

/** An address linked to a new tab, with a copy button. */
export function IpLink({ ip, className = 'max-w-60' }: { ip: string; className?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      <Truncate
        text={ip}
        href={ipUrl(ip)}
        className={`min-w-0 rounded-sm font-mono text-xs tracking-tight text-accent-text underline-offset-2 hover:underline ${className}`}
      />
      <CopyButton text={ip} />
    </span>
  )
}
