import type { SiloUtilization } from '@steading/api/client'
import { pressureOf } from '@steading/api/rules'
import { siloHome } from '../silos/queries.ts'
import { BigNumber } from '../../ui/big-number.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { formatNumber } from '../../ui/number.ts'
import { tooltip } from '../../ui/tooltip.tsx'
import { inUnit, percentOf, type Resource, resources } from './amounts.ts'
import { Meter } from './meter.tsx'

const Unit = ({ resource }: { resource: Resource }) =>
  resource.isCount ? null : <span className="text-tertiary"> {resource.unit}</span>

const usage = (resource: Resource): Column<SiloUtilization> => ({
  id: resource.name,
  header: resource.label,
  width: resource.isCount ? 112 : 152,
  align: 'end',
  phone: 'second',
  cell: ({ provisioned, allocated }) => (
    <>
      <BigNumber value={inUnit(resource, provisioned[resource.name])} />
      <span className="text-tertiary"> / </span>
      <BigNumber value={inUnit(resource, allocated[resource.name])} />
      <Unit resource={resource} />
      {/* On phones, which have no headers. */}
      {resource.isCount && <span className="text-tertiary sm:hidden"> {resource.unit}</span>}
    </>
  ),
})

const available = (resource: Resource): Column<SiloUtilization> => ({
  id: `${resource.name}-available`,
  header: `${resource.label} available`,
  group: 'available',
  width: resource.isCount ? 128 : 160,
  align: 'end',
  cell: ({ provisioned, allocated }) => {
    const [used, quota] = [provisioned[resource.name], allocated[resource.name]]
    return (
      <span className="inline-flex items-center gap-2">
        {pressureOf(used, quota) !== 'low' && <NearlyUsed used={used} quota={quota} />}
        <span>
          <BigNumber value={inUnit(resource, quota - used)} />
          <Unit resource={resource} />
        </span>
      </span>
    )
  },
})

function NearlyUsed({ used, quota }: { used: number; quota: number }) {
  const percent = percentOf(used, quota)
  const text = percent === undefined ? 'used without a quota' : `${formatNumber(percent)}% used`
  return (
    <span className="w-8" {...tooltip(text)}>
      <Meter label={text} used={used} quota={quota} className="h-1.5" />
    </span>
  )
}

export const utilizationColumns: Column<SiloUtilization>[] = [
  {
    id: 'silo',
    header: 'Silo',
    cell: ({ siloName }) => (
      <CellLink to={siloHome} params={{ silo: siloName }}>
        {siloName}
      </CellLink>
    ),
  },
  ...resources.map(usage),
  ...resources.map(available),
]
