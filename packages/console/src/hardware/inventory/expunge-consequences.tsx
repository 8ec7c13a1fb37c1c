import type { SledExpungePreview } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useEnginePart } from '../../data/capabilities.ts'
import { Strong } from '../../ui/text.tsx'

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

type Instance = SledExpungePreview['instances'][number]

const stays = ({ restarts, sledSerial }: Instance): boolean => !restarts || sledSerial === null

const fate = ({ restarts, sledSerial }: Instance): string => {
  if (!restarts) return 'stays failed: it is never restarted'
  return sledSerial === null ? 'stays failed: no sled has room' : `restarts, on ${sledSerial}`
}

/** The failing instances; first the ones that will not restart automatically. */
function FailingInstances({ instances }: { instances: readonly Instance[] }) {
  if (instances.length === 0) return <p>No instance runs on it.</p>
  const lasting = instances.filter(stays)
  const back = instances.length - lasting.length
  return (
    <>
      <p>
        {many(instances.length, 'instance')} on it will fail.{' '}
        {back > 0 && `${many(back, 'instance')} will restart on other sleds. `}
        {lasting.length > 0 && <Strong>{`${lasting.length} will stay failed.`}</Strong>}
      </p>
      <ul
        className="focus-inset -mx-5 max-h-60 overflow-y-auto border-y"
        aria-label="Instances"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
      >
        {[...lasting, ...instances.filter((instance) => !stays(instance))].map((instance) => (
          <li
            key={instance.id}
            className="flex flex-wrap items-baseline justify-between gap-x-3 px-5 py-1.5 not-last:border-b"
          >
            <span className="min-w-0 wrap-anywhere">
              <Strong>{instance.name}</Strong>{' '}
              <span className="text-xs text-tertiary">
                {instance.siloName} / {instance.projectName}
              </span>
            </span>
            <span className={stays(instance) ? 'text-red-text' : 'text-secondary'}>
              {fate(instance)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The consequences of expunging a sled: failing instances with their next sleds, and replicas. */
export function ExpungeConsequences({ sledId, serial }: { sledId: string; serial: string }) {
  const hasReplicas = useEnginePart('replicas')
  const { data, error } = useQuery(apiQuery('sledExpungePreview', { path: { sledId } }))
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Strong>{serial}</Strong> is removed from service for good: it can only be added again as a
        new sled.
      </p>
      {error && <p>The consequences could not be loaded.</p>}
      {!data && !error && <p className="text-secondary">Loading the consequences…</p>}
      {data && (
        <>
          <FailingInstances instances={data.instances} />
          {hasReplicas && (
            <p>
              {data.replicas === 0
                ? 'It holds no replicas of disks.'
                : `${many(data.replicas, 'replica')} of disks will be rebuilt on other sleds.`}
              {data.replicasWithoutRoom > 0 &&
                ` There is no room for ${data.replicasWithoutRoom} of them.`}
            </p>
          )}
        </>
      )}
    </div>
  )
}
