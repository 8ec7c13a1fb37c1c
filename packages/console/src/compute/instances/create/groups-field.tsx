import { INSTANCE_MAX_AFFINITY_GROUPS } from '@steading/api/rules'
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { ChooseGroupModal } from '../../affinity/choose-group.tsx'
import type { Group } from '../../affinity/group-kinds.ts'
import { PolicyTag } from '../../affinity/group-cells.tsx'
import { Button } from '../../../ui/button.tsx'
import { MiniTable } from '../../../ui/form/mini-table.tsx'
import { HelpTip } from '../../../ui/tooltip.tsx'
import { ChoicesPart } from './choices-part.tsx'
import { Problem } from './section.tsx'
import type { Offer } from './queries.ts'
import type { InstanceValues } from './values.ts'

/** Only the name is known of a group deleted in the meantime. */
type Chosen = Pick<Group, 'name'> & Partial<Group>

const columns = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }: Chosen) => <span className="wrap-anywhere">{name}</span>,
  },
  {
    id: 'policy',
    header: 'Policy',
    cell: ({ policy }: Chosen) => policy && <PolicyTag policy={policy} />,
  },
]

function reasonAgainstAdding(all: number, chosen: number) {
  if (all === 0) return 'No groups found'
  if (chosen >= INSTANCE_MAX_AFFINITY_GROUPS) {
    return `An instance can be in at most ${INSTANCE_MAX_AFFINITY_GROUPS} anti-affinity groups`
  }
  return chosen === all && 'Instance is already in all groups'
}

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

/** Anti-affinity groups, joined before the instance is first placed. */
export function GroupsField({ form, offer, disabled }: Props) {
  const { groups } = offer
  const names = useWatch({ control: form.control, name: 'antiAffinityGroups' })
  const [adding, setAdding] = useState(false)
  const chosen = names.map(
    (name): Chosen => groups.find((group) => group.name === name) ?? { name },
  )
  const set = (next: string[]) => {
    form.clearErrors('antiAffinityGroups')
    form.setValue('antiAffinityGroups', next, { shouldDirty: true })
  }
  return (
    <div className="flex flex-col gap-2">
      <span className="flex items-center gap-1.5 font-medium">
        Anti-affinity groups
        <span aria-hidden className="text-xs font-normal text-tertiary">
          (Optional)
        </span>
        <HelpTip>Keeps the instance off the sleds of the other members.</HelpTip>
      </span>
      <MiniTable
        label="Anti-affinity groups"
        columns={columns}
        items={chosen}
        rowKey={({ name }) => name}
        onRemove={({ name }) => set(names.filter((each) => each !== name))}
        removeLabel={({ name }) => `remove anti-affinity group ${name}`}
      />
      <Problem form={form} name="antiAffinityGroups" />
      <ChoicesPart part="groups" offer={offer}>
        <div>
          <Button
            size="sm"
            disabled={disabled}
            disabledReason={reasonAgainstAdding(groups.length, chosen.length)}
            onClick={() => setAdding(true)}
          >
            Add to group
          </Button>
        </div>
      </ChoicesPart>
      {adding && (
        <ChooseGroupModal
          kind="anti_affinity_group"
          groups={groups.filter(({ name }) => !names.includes(name))}
          onSubmit={({ group }) => {
            set([...names, group])
            setAdding(false)
          }}
          onDismiss={() => setAdding(false)}
        />
      )}
    </div>
  )
}
