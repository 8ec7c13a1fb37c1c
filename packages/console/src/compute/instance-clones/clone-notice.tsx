import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'
import { formatNumber } from '../../ui/number.ts'
import { useInstanceParams } from '../instances/queries.ts'

/** The progress of a clone on the page of the new instance, and the reason if it has failed. */
export function CloneNotice() {
  const params = useInstanceParams()
  const enabled = useCapability('instanceClones')
  const { data } = useQuery({
    ...apiQuery('instanceCloneView', {
      path: { instance: params.instance },
      query: { project: params.project },
    }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.clone?.state === 'copying' ? 2_000 : false),
  })
  const clone = data?.clone
  if (!clone || clone.state === 'done') return null
  const of = clone.sourceName === null ? 'another instance' : clone.sourceName
  if (clone.state === 'failed') {
    return (
      <div className="px-(--gutter) pb-4">
        <Banner variant="error" title={`The clone of ${of} is incomplete`}>
          {clone.reason}. The instance was not started. Delete it with its disks, and clone again.
        </Banner>
      </div>
    )
  }
  return (
    <div className="px-(--gutter) pb-4">
      <Banner variant="info" title={`Cloning ${of}`}>
        {formatNumber(clone.disksMade)} of {formatNumber(clone.disks)} disks are copied.
      </Banner>
    </div>
  )
}
