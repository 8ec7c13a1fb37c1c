import { Building2 } from 'lucide-react'
import { BriefingPart } from '../../observability/briefings/briefing-part.tsx'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { siloColumns } from './columns.tsx'
import { siloListDefinition, siloHome } from './queries.ts'
import { useSiloActions, siloSummary } from './silo-actions.tsx'

const silos = resourceList({
  list: siloListDefinition,
  noun: 'silo',
  icon: Building2,
  docs: { topic: 'silos', summary: siloSummary },
  path: '/system/silos',
  item: siloHome,
  columns: siloColumns,
  create: { calls: 'siloCreate' },
})

export const SilosPage = () => (
  <ResourceList of={silos} notice={<BriefingPart of="fleet" />} actions={useSiloActions()} />
)
