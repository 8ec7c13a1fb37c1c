import type { RouteDestination, RouteTarget } from '@steading/api/client'
import type { RouteDestinationType, RouteTargetType } from '@steading/api/rules'
import { cx } from '../../ui/cx.ts'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'

/** What the ends of routes are called. */
export const endWords: Record<RouteDestinationType | RouteTargetType, string> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}

/** An end of a route: what it is, and which. */
export function RouteEnd({ end }: { end: RouteDestination | RouteTarget }) {
  const { type } = end
  const isNumber = type === 'ip' || type === 'ip_net'
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {/* On a phone there is room for the address alone, which says what it is. */}
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
