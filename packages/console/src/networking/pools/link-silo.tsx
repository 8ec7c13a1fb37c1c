import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { choicesOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { useLinkForm } from './link-form.tsx'
import {
  allSilosQuery,
  defaultBeside,
  type Pool,
  type PoolKind,
  poolsOfSiloQuery,
  slotOf,
} from './pool-kind.ts'
import { choiceOf } from './pool-option.tsx'

type Props = { kind: PoolKind; pool: Pool; linked: string[]; onDismiss: () => void }

export default function LinkSiloModal({ kind, pool, linked, onDismiss }: Props) {
  const form = useForm({ defaultValues: { silo: '', isDefault: false } })
  const silos = useQuery(allSilosQuery)
  const silo = useWatch({ control: form.control, name: 'silo' })
  const isSilo = silos.data?.items.some(({ name }) => name === silo) ?? false
  const pools = useQuery({ ...poolsOfSiloQuery(kind, silo), enabled: isSilo })
  const replaced = isSilo ? defaultBeside(pools.data?.items, pool) : undefined
  const link = useLinkForm(
    kind,
    (values: { silo: string; isDefault: boolean }) => ({ ...values, pool: pool.name }),
    { failed: 'Could not link silo', halfDone: 'Silo linked, but pool not set as default' },
    onDismiss,
  )
  const unlinked = silos.data && {
    ...silos.data,
    items: silos.data.items.filter(({ id }) => !linked.includes(id)),
  }
  return (
    <ModalForm form={form} title="Link silo" submitLabel="Link" {...link} onDismiss={onDismiss}>
      <Banner>
        Users in the selected silo will be able to allocate {kind.gives} from this pool.
      </Banner>
      <ComboboxField
        name="silo"
        label="Silo"
        placeholder="Select a silo"
        control={form.control}
        empty="All silos are linked"
        {...choicesOf({ ...silos, data: unlinked } as typeof silos, ({ name, description }) =>
          choiceOf({ name, description }),
        )}
      />
      <CheckboxField
        name="isDefault"
        control={form.control}
        description={replaced && `Replaces ${replaced.name}, which stays linked`}
      >
        Make default {slotOf(pool)} for silo
      </CheckboxField>
    </ModalForm>
  )
}
