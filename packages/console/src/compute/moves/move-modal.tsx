import type { InstanceDestinations } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { LoadError } from '../../page/load-error.tsx'
import { Banner } from '../../ui/banner.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { Size, Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { destinationsQuery } from './queries.ts'

type Props = {
  instance: { id: string; name: string; sledId: string }
  onDismiss: () => void
}

type Destination = InstanceDestinations['items'][number]

const Free = ({ freeHardwareThreads, freePhysicalRam }: Destination) => (
  <>
    {freeHardwareThreads} threads and <Size bytes={freePhysicalRam} /> free
  </>
)

/** A form with all sleds: those that can take an instance, and why the others cannot. */
export default function MoveModal({ instance, onDismiss }: Props) {
  const { id, name, sledId } = instance
  // Not live: once the instance has left its sled, there is no answer.
  const { data, error, refetch } = useQuery({ ...destinationsQuery(sledId, id), staleTime: 0 })
  const form = useForm<{ to: string }>({ defaultValues: { to: '' } })
  const { control } = form
  const to = useWatch({ control, name: 'to' })
  const chosen = data?.items.find((sled) => sled.id === to)
  const move = useApiForm(
    'instanceMove',
    (values: { to: string }) => ({
      path: { sledId, instanceId: id },
      body: { sledId: values.to },
    }),
    {
      onSuccess: ({ to: destination }) => {
        addToast({
          content: (
            <>
              Moving instance <b>{name}</b> to sled <b>{destination.serial}</b>
            </>
          ),
        })
        onDismiss()
      },
      // The sleds have changed since they were read.
      onError: () => void refetch(),
    },
  )
  const none = data?.items.every(({ problem }) => problem !== null)
  return (
    <ModalForm
      form={form}
      title="Move instance"
      submitLabel="Move"
      {...move}
      onDismiss={onDismiss}
      submitDisabled={!chosen || chosen.problem !== null}
    >
      <p className="text-secondary">
        <Strong>{name}</Strong> moves while it runs: its guest notices nothing.
      </p>
      {none && <Banner variant="notice" title="No sled can take the instance now" />}
      {error && !data ? (
        <LoadError what="The sleds" error={error} onRetry={refetch} />
      ) : (
        // Keeps its room while the sleds load.
        <div className="min-h-40">
          {data ? (
            <RadioField
              name="to"
              label="Sled"
              control={control}
              column
              items={data.items.map((sled) => ({
                value: sled.id,
                label: sled.serial,
                ...(sled.problem === null
                  ? { description: <Free {...sled} /> }
                  : { disabledReason: sled.problem }),
              }))}
            />
          ) : (
            <p className="text-secondary">Loading the sleds…</p>
          )}
        </div>
      )}
    </ModalForm>
  )
}
