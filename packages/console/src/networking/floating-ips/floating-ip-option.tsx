import type { FloatingIp, SiloIpPool } from '@steading/api/client'
import type { Option } from '../../ui/form/options.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'

/** The option for a floating IP: its name, then its address, pool and description. */
export const floatingIpOption = (
  { name, ip, ipPoolId, description }: FloatingIp,
  pools: readonly SiloIpPool[],
): Option => {
  const pool = pools.find(({ id }) => id === ipPoolId)?.name
  return {
    value: name,
    label: name,
    content: (
      <span className="flex min-w-0 flex-col">
        <Truncate text={name} />
        <span className="truncate text-xs text-secondary">
          <Mono>{ip}</Mono>
          {[pool, description].filter(Boolean).map((part) => (
            <span key={part}> / {part}</span>
          ))}
        </span>
      </span>
    ),
  }
}
