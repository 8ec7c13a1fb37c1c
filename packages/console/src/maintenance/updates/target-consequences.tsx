import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'
import { Strong } from '../../ui/text.tsx'

const many = (count: number, one: string, more = `${one}s`) =>
  `${count} ${count === 1 ? one : more}`

/** Effects of setting a target release: sleds, switches, and moving instances. */
function Preview({ version }: { version: string }) {
  const { data, error } = useQuery(apiQuery('updatePreview', { query: { systemVersion: version } }))
  if (error) return <p>Its effects could not be loaded.</p>
  if (!data) return <p className="text-secondary">Reading what it would change…</p>
  if (data.components === 0) return <p>Everything runs this software already.</p>
  return (
    <>
      <p>
        {many(data.sleds, 'sled')} and {many(data.switches, 'switch', 'switches')} will be updated,
        one after the other.{' '}
        {data.instances === 0
          ? 'No instance runs on these sleds.'
          : `${many(data.instances, 'instance')} will move to other sleds and keep running.`}
      </p>
      {data.unmovable.length > 0 && (
        <Banner variant="notice" title="Some instances cannot move">
          The update will wait until there is room for them, or they are stopped:
          <ul className="ms-4 list-disc">
            {data.unmovable.map(({ id, name, sledSerial }) => (
              <li key={id}>
                {name} on {sledSerial}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </>
  )
}

export function TargetConsequences({
  version,
  contactSupport,
}: {
  version: string
  contactSupport: boolean
}) {
  const extended = useCapability('updates')
  return (
    <div className="flex min-h-24 flex-col gap-3">
      {contactSupport && (
        <Banner variant="notice" title="Support required">
          Starting an update now is strongly discouraged.
        </Banner>
      )}
      <p>
        Are you sure you want to set <Strong>{version}</Strong> as the target release?
      </p>
      {extended && <Preview version={version} />}
    </div>
  )
}
