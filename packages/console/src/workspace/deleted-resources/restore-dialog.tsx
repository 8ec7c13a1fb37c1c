import type { DeletedResource, DeletedResourceDetails } from '@steading/api/client'
import { kindLabels } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { invalidate } from '../../data/api.ts'
import { NameField } from '../../forms/name-fields.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { Banner } from '../../ui/banner.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber } from '../../ui/number.ts'
import { Strong } from '../../ui/text.tsx'
import { useApiForm } from '../as-code/as-code.tsx'
import { restored } from './changed.tsx'
import { deletedResourceQuery } from './queries.ts'

type Props = { resource: DeletedResource; onDismiss: () => void }

/** Restores a deleted resource, under another name if its own is taken. */
export default function RestoreDialog({ resource, onDismiss }: Props) {
  const { id, name, kind } = resource
  const form = useForm({ defaultValues: { name } })
  const restore = useApiForm(
    'deletedResourceRestore',
    (values: { name: string }) => ({
      path: { deletedResource: id },
      body: values.name === name ? {} : { name: values.name },
    }),
    {
      onSuccess: (answer) => {
        onDismiss()
        restored(answer)
      },
      onError: () => void invalidate('deletedResourceView'),
    },
  )
  // A restored resource is not found any more.
  const { data, error, refetch } = useQuery({
    ...deletedResourceQuery(id),
    enabled: !restore.loading,
  })
  return (
    <ModalForm
      form={form}
      title={`Restore ${kindLabels(kind)}`}
      submitLabel="Restore"
      {...restore}
      onDismiss={onDismiss}
      submitDisabledReason={data?.obstacle && `Not possible: ${data.obstacle}`}
    >
      <p className="text-secondary">
        <Strong>{name}</Strong> returns with the same ID
        {kind === 'instance' && ', stopped, with the disks that were deleted after it'}.
      </p>
      {data?.obstacle && <Banner variant="notice" title={`Not possible: ${data.obstacle}`} />}
      {data?.nameTaken && (
        <Banner
          variant="notice"
          title={`Another ${kindLabels(kind)} is called ${name} now. Enter another name.`}
        />
      )}
      <NameField control={form.control} name="name" />
      <QueryError error={error} onRetry={refetch} />
      {/* Keeps its room while the parts load. */}
      <div className="min-h-24">{data && <Parts {...data} />}</div>
    </ModalForm>
  )
}

/** Names of one line. */
const NAMES = 4

/** The parts that return, by noun. */
function Parts({ parts }: Pick<DeletedResourceDetails, 'parts'>) {
  const groups = [...Map.groupBy(parts, ({ noun, fate }) => `${fate} ${noun}`)]
  if (groups.length === 0) {
    return <p className="text-secondary">Nothing else was deleted or detached with it.</p>
  }
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="label text-tertiary">Returns with it</h3>
      <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-card border bg-raised">
        {groups.map(([key, group]) => {
          const [{ noun, fate }] = group as [(typeof group)[number]]
          const names = group.map((part) => part.name).filter(Boolean)
          const more = names.length - NAMES
          return (
            <li key={key} className="px-3 py-2 wrap-anywhere">
              <span className="font-medium text-primary">
                {group.length > 1 ? `${formatNumber(group.length)} × ${noun}` : capitalized(noun)}
              </span>{' '}
              {names.slice(0, NAMES).join(', ')}
              {more > 0 && ` and ${formatNumber(more)} more`}
              {fate === 'attached' && <span className="text-xs"> → attached again</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
