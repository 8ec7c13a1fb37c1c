import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { choicesOf } from '../../data/reads.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useLinkForm } from './link-form.tsx'
import { choiceOf } from './pool-option.tsx'
import {
  defaultBeside,
  linkablePoolsQuery,
  type Pool,
  type PoolKind,
  poolsOfSiloQuery,
  slotOf,
} from './pool-kind.ts'

type Props = { kind: PoolKind; silo: string; onDismiss: () => void }

const optionOf = ({ name, description, ipVersion, poolType }: Pool) =>
  choiceOf({
    name,
    description,
    tags: (
      <>
        <Tag>{ipVersion}</Tag>
        {poolType && <Tag>{poolType}</Tag>}
      </>
    ),
  })

export default function LinkPoolModal({ kind, silo, onDismiss }: Props) {
  const form = useForm({ defaultValues: { pool: '', isDefault: false } })
  const linked = useQuery(poolsOfSiloQuery(kind, silo)).data?.items
  const pools = useQuery(linkablePoolsQuery(kind))
  const name = useWatch({ control: form.control, name: 'pool' })
  const chosen = pools.data?.items.find((pool) => pool.name === name)
  const replaced = chosen && defaultBeside(linked, chosen)
  const link = useLinkForm(
    kind,
    (values: { pool: string; isDefault: boolean }) => ({ ...values, silo }),
    { failed: 'Could not link pool', halfDone: 'Pool linked, but not set as default' },
    onDismiss,
  )
  const unlinked = pools.data && {
    ...pools.data,
    items: pools.data.items.filter(({ id }) => !linked?.some((each) => each.id === id)),
  }
  return (
    <ModalForm form={form} title="Link pool" submitLabel="Link" {...link} onDismiss={onDismiss}>
      <ComboboxField
        name="pool"
        label={kind.Words}
        placeholder="Select a pool"
        control={form.control}
        empty="All pools are linked"
        {...choicesOf({ ...pools, data: unlinked } as typeof pools, optionOf)}
      />
      <CheckboxField
        name="isDefault"
        control={form.control}
        description={replaced && `Replaces ${replaced.name}, which stays linked`}
      >
        Make default {chosen ? slotOf(chosen) : kind.words === 'IP pool' ? 'pool' : kind.words} for
        silo
      </CheckboxField>
    </ModalForm>
  )
}
