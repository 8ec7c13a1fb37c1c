import type { Instance } from '@steading/api/client'
import { estimatedCost, GiB, instanceHasVm, MONTH_HOURS } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../data/api.ts'
import { GlanceRow } from '../../../page/glance.tsx'
import { costText } from '../../../tenancy/usage/labels.ts'
import { HelpTip } from '../../../ui/tooltip.tsx'
import { instanceDisksQuery, instanceExternalIpsQuery, type InstanceParams } from '../queries.ts'

/** The cost of a month of the instance as it is now; nothing without prices. */
export default function CostRow({
  params,
  instance,
}: {
  params: InstanceParams
  instance: Instance
}) {
  const { data: list } = useQuery(apiQuery('currentPricesView', {}))
  const { data: disks } = useQuery(instanceDisksQuery(params))
  const { data: ips } = useQuery(instanceExternalIpsQuery(params))
  if (!list?.currency || !disks || !ips) return null
  const { prices, currency } = list
  // A stopped instance holds its disks and addresses only.
  const vms = instanceHasVm(instance.runState) ? 1 : 0
  const ipsOf = (kind: string) => ips.items.filter((ip) => ip.kind === kind).length
  const cost = estimatedCost(
    [
      { units: vms * instance.ncpus, price: prices.vcpu },
      { units: (vms * instance.memory) / GiB, price: prices.memory },
      { units: disks.items.reduce((sum, { size }) => sum + size, 0) / GiB, price: prices.disk },
      { units: ipsOf('ephemeral'), price: prices.ephemeralIp },
      { units: ipsOf('floating'), price: prices.floatingIp },
    ],
    MONTH_HOURS,
    currency,
  )
  if (cost === undefined) return null
  return (
    <GlanceRow label="Cost">
      <span>
        About <span className="tabular-nums">{costText(cost, currency)}</span> a month{' '}
        <HelpTip>
          {`At the prices of today, for ${MONTH_HOURS} hours as the instance is now, with its disks and addresses. Snapshots are not included.`}
        </HelpTip>
      </span>
    </GlanceRow>
  )
}
