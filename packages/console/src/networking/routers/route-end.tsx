import type { RouteDestination, RouteTarget } from '@steading/api/client'
import type { RouteDestinationType, RouteTargetType } from '@steading/api/rules'
import { cx } from '../../ui/cx.ts'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'

/** Names of the types of destinations and targets. */
export const endWords: Record<RouteDestinationType | RouteTargetType, string> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}

/** A destination or target of a route: its type and value. */
export function RouteEnd({ end }: { end: RouteDestination | RouteTarget }) {
  const { type } = end
  const isNumber = type === 'ip' || type === 'ip_net'
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {/* On phones there is room only for the address, which implies its type. */}
      <span className={cx('flex', isNumber && 'max-sm:hidden')}>
        <Tag>{endWords[type]}</Tag>
      </span>
      {'value' in end && (
        <Truncate
          text={end.value}
          className={cx('min-w-0', isNumber && 'font-mono text-xs tracking-tight')}
        />
      )}
    </span>
  )
}
