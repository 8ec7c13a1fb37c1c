import type { SledExpungePreview } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../data/api.ts'
import { Strong } from '../ui/text.tsx'

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

type Instance = SledExpungePreview['instances'][number]

const fate = ({ restarts, sledSerial }: Instance): string => {
  if (!restarts) return 'stays failed, because it is never restarted automatically'
  return sledSerial === null
    ? 'stays failed, because no other sled can take it now'
    : `restarts on another sled, such as ${sledSerial}`
}

/** What expunging a sled destroys: the instances that fail, and where they can go. */
export function ExpungeConsequences({ sledId, serial }: { sledId: string; serial: string }) {
  const { data, error } = useQuery(apiQuery('sledExpungePreview', { path: { sledId } }))
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Strong>{serial}</Strong> is given up for good: it cannot be put back into service, only
        added anew.
      </p>
      {error && <p>What it would destroy could not be read.</p>}
      {!data && !error && <p className="text-secondary">Reading what it would destroy…</p>}
      {data && (
        <>
          <p>
            {data.instances.length === 0
              ? 'No instance runs on it.'
              : `${many(data.instances.length, 'instance')} on it will fail:`}
          </p>
          {data.instances.length > 0 && (
            <ul className="flex max-h-60 flex-col gap-1.5 overflow-y-auto" aria-label="Instances">
              {data.instances.map((instance) => (
                <li key={instance.id} className="wrap-anywhere">
                  <Strong>{instance.name}</Strong>{' '}
                  <span className="text-secondary">
                    of {instance.siloName} / {instance.projectName} {fate(instance)}
                  </span>
                </li>
              ))}
            </ul>
          )}
          <p>
            {data.replicas === 0
              ? 'It holds no replicas of disks.'
              : `${many(data.replicas, 'replica')} of disks will be made anew on other sleds.`}
            {data.replicasWithoutRoom > 0 &&
              ` There is no room for ${data.replicasWithoutRoom} of them.`}
          </p>
        </>
      )}
    </div>
  )
}
