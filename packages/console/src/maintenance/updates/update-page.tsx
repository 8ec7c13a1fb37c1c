import type { UpdateStatus } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { Banner } from '../../ui/banner.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import { rolloutQuery, statusQuery } from './queries.ts'
import { ReleasesCard } from './releases-card.tsx'
import { RolloutCard } from './rollout-card.tsx'
import { TrustRootsCard } from './trust-roots-card.tsx'

/** Progress in components on the target release; undefined without a target or any component. */
function progressOf({ targetRelease, componentsByReleaseVersion: counts }: UpdateStatus) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (!targetRelease || total === 0) return undefined
  const done = counts[targetRelease.version] ?? 0
  // Rounded down: 100 % only after the last one.
  return { done, total, percent: Math.floor((100 * done) / total) }
}

/** The releases that components run: `18.1.0`, or `18.1.0 (12), 19.0.0 (3)` during an update. */
function runningText({ componentsByReleaseVersion }: UpdateStatus): string {
  const counts = Object.entries(componentsByReleaseVersion).map(
    ([version, count]) => [version === 'unknown' ? 'unknown release' : version, count] as const,
  )
  if (counts.length === 1) return counts[0]![0]
  return counts.map(([version, count]) => `${version} (${count})`).join(', ')
}

const RECENT_MS = 30 * 60_000
const OFTEN_MS = 20_000
const SELDOM_MS = 120_000

/** Polling interval of the status without live events. */
function pollInterval(status: UpdateStatus | undefined, now = Date.now()): number {
  const times = [status?.timeLastStepPlanned, status?.targetRelease?.timeRequested]
  const isRecent = times.some((time) => time && now - time.getTime() < RECENT_MS)
  return isRecent ? OFTEN_MS : SELDOM_MS
}

function Properties({ status }: { status: UpdateStatus }) {
  const { targetRelease } = status
  const progress = progressOf(status)
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label="Running">
        <span className="inline-flex items-center gap-1.5">
          {runningText(status) || <EmptyCell />}
          <HelpTip>Releases of the components, with their numbers if there are several</HelpTip>
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Target release">
        {targetRelease ? targetRelease.version : <EmptyCell />}
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Target set">
        {targetRelease ? <DateTime date={targetRelease.timeRequested} /> : <EmptyCell />}
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Progress">
        <span className="inline-flex items-center gap-1.5">
          {progress ? (
            <>
              {progress.percent}%{' '}
              <span className="text-secondary">
                ({progress.done} of {progress.total})
              </span>
            </>
          ) : (
            <EmptyCell />
          )}
          <HelpTip>Components that run the target release</HelpTip>
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Last step planned">
        <span className="inline-flex items-center gap-1.5">
          <DateTime date={status.timeLastStepPlanned} />
          <HelpTip>Time of the last planned step of the update</HelpTip>
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Suspended">
        <span className="inline-flex items-center gap-1.5">
          {status.suspended ? 'Yes' : 'No'}
          <HelpTip>Updates are paused while a sled has been recovered by hand</HelpTip>
        </span>
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

/** Reasons why an update is stuck or waiting. */
function Problem() {
  const { data } = useQuery({ ...rolloutQuery, enabled: useCapability('updates') })
  if (!data?.problem) return null
  return (
    <Banner variant="notice" title="The update is waiting">
      {data.problem}. It goes on by itself when this is over.
    </Banner>
  )
}

export function UpdatePage() {
  const first = usePrefetchedQuery(statusQuery).data
  const interval = useLivePolling(pollInterval(first))
  const status = useQuery({ ...statusQuery, refetchInterval: interval }).data ?? first
  return (
    <>
      <PageHeader title="System Update" icon={<RefreshCw strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="system update"
          summary="An update replaces the software of sleds and switches by that of a release, one sled after the other. Instances move to other sleds first, and keep running."
        />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="flex flex-col gap-4 px-(--gutter) empty:hidden">
          {status.contactSupport && (
            <Banner variant="error" title="Support required">
              The update has been stuck for a while. Contact support before you start another one.
            </Banner>
          )}
          <Problem />
          <Properties status={status} />
        </div>
        <ReleasesCard status={status} />
        <RolloutCard />
        <TrustRootsCard />
      </div>
      <Outlet />
    </>
  )
}
