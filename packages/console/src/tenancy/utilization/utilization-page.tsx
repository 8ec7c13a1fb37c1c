import type { DeletionPolicy } from '@steading/api/client'
import { apiQuery } from '../../data/api.ts'
import { useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { useCapability } from '../../data/capabilities.ts'
import { Forecasts } from '../../observability/forecasts/forecasts-part.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Size } from '../../ui/text.tsx'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { useImagePolicy } from '../../storage/image-policy/policy-action.tsx'
import { useDeletionPolicy } from '../../workspace/deleted-resources/policy-action.tsx'
import { countedNoun } from '../../workspace/jobs/job-text.ts'
import { CapacityBars } from './capacity-bars.tsx'
import { OwnProvisioned } from './provisioned-part.tsx'

export function UtilizationPage() {
  const reports = useCapability('usage')
  const polled = useLivePolling(10_000)
  const { data, error, refetch } = useQuery({
    ...apiQuery('utilizationView', {}),
    refetchInterval: polled,
  })
  const { supported, policy, action, dialog } = useDeletionPolicy()
  const images = useImagePolicy()
  return (
    <>
      <PageHeader title="Utilization" icon={<Gauge strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="utilization"
          summary="Running instances use the CPU and memory of the silo's quotas, disks and snapshots use its storage. Operators change the quotas."
        />
        {reports && <LinkButton to="/usage">Usage report</LinkButton>}
        <ActionButtons actions={[...(supported ? [action] : []), ...images.actions]} />
      </PageHeader>
      {dialog}
      {images.dialog}
      {error && !data ? (
        <LoadError what="The utilization" error={error} onRetry={refetch} />
      ) : (
        <div className="flex flex-col gap-4 pb-6">
          <QueryError error={error} onRetry={refetch} />
          <KeptStorage policy={policy} />
          <CapacityBars provisioned={data?.provisioned} quota={data?.capacity} quotaLabel="Quota" />
          <OwnProvisioned />
          {/* Last, because it loads after the page, at a height of its own. */}
          <Forecasts query={apiQuery('utilizationForecast', {})} />
        </div>
      )}
    </>
  )
}

/** The storage of deleted resources, which is not part of the utilization. */
function KeptStorage({ policy }: { policy: DeletionPolicy | undefined }) {
  if (!policy || policy.keptStorage === 0) return null
  const { keptStorage, keptResources } = policy
  return (
    <p className="px-(--gutter) text-secondary">
      {countedNoun('deleted_resource', keptResources)} (<Size bytes={keptStorage} />) can still be
      restored. They count in no quota.
    </p>
  )
}
