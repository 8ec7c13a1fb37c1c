import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { pathTo } from '../../data/addresses.ts'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { isForbidden } from '../../data/errors.ts'
import { wholeColumns } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/link.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { scheduleColumns } from './columns.tsx'
import { recurrenceWords } from './labels.ts'

/**
 * Row of the schedules that cover a disk. It has its place from the beginning, and is missing for
 * users who may not read them.
 */
export function DiskSchedules({ disk }: { disk: string }) {
  const { project } = useParams({ strict: false })
  const enabled = useCapability('schedules')
  const { data, error } = useQuery({
    ...apiQuery('coveringScheduleList', { query: { disk } }),
    enabled,
  })
  if (!enabled || error || project === undefined) return null
  return (
    <PropertiesTable.Row label="Schedules">
      {data && data.items.length > 0 ? (
        <span className="flex flex-wrap gap-x-4">
          {data.items.map(({ id, name, recurrence, state }) => (
            <span key={id}>
              <TextLink
                to="/projects/$project/schedules/$schedule"
                params={{ project, schedule: name }}
              >
                {name}
              </TextLink>{' '}
              <span className="text-tertiary">
                {state === 'active' ? recurrenceWords(recurrence) : state}
              </span>
            </span>
          ))}
        </span>
      ) : (
        <EmptyCell />
      )}
    </PropertiesTable.Row>
  )
}

/** Card of the schedules that cover an instance. */
export function InstanceSchedules({ project, instance }: { project: string; instance: string }) {
  const enabled = useCapability('schedules')
  const read = useQuery({
    ...apiQuery('coveringScheduleList', { query: { instance } }),
    enabled,
  })
  if (!enabled || isForbidden(read.error)) return null
  return (
    <Card title="Schedules" description="Schedules that act on this instance or take its snapshots">
      <LoadedTable
        what="The schedules"
        label="Schedules"
        columns={wholeColumns(scheduleColumns, ({ name: schedule }) =>
          pathTo('/projects/$project/schedules/$schedule', { project, schedule }),
        ).filter(({ optional }) => !optional)}
        read={{ rows: read.data?.items, error: read.error, refetch: read.refetch }}
        empty={{
          icon: Clock,
          title: 'No schedules',
          body: 'No schedule in this project targets this instance',
          action: (
            <LinkButton to="/projects/$project/schedules" params={{ project }}>
              View schedules
            </LinkButton>
          ),
        }}
      />
    </Card>
  )
}
