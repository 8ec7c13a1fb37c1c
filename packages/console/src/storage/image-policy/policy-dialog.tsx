import type { ImagePolicy } from '@steading/api/client'
import { ReasonField } from '../../forms/reason-field.tsx'
import { type EditedRead, useEditForm } from '../../forms/use-edit-form.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { imagePolicyQuery } from './queries.ts'

type Policy = Pick<ImagePolicy, 'membersUseSiloImages'>
type Values = { users: 'members' | 'silo' }
const read: EditedRead<Policy> = imagePolicyQuery

const valuesOf = ({ membersUseSiloImages }: Policy): Values => ({
  users: membersUseSiloImages ? 'members' : 'silo',
})

const labels = {
  members: 'Users with a role on the silo, and members of projects',
  silo: 'Only users with a role on the silo',
} as const

type Props = { silo: string; present: Policy; onDismiss: () => void }

/** Sets who may use the images of the silo. */
export default function PolicyDialog({ silo, present, onDismiss }: Props) {
  const { form, ...update } = useEditForm('imagePolicyUpdate', {
    resource: 'image policy',
    read,
    opened: present,
    valuesOf,
    fields: { users: { label: 'Silo images can be used by', text: (users) => labels[users] } },
    argsOf: ({ users }) => ({ body: { membersUseSiloImages: users === 'members' } }),
    onSuccess: () => {
      addToast('Image policy updated')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Image policy"
      submitLabel="Update image policy"
      {...update}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        Disks are created from the images of silo {silo} in all of its projects. Existing disks stay
        as they are.
      </p>
      <RadioField
        name="users"
        label="Silo images can be used by"
        control={form.control}
        column
        items={[
          {
            value: 'members',
            label: labels.members,
            description:
              'Anyone who can create disks in a project can create them from silo images. Viewers of the project see their names.',
          },
          {
            value: 'silo',
            label: labels.silo,
            description: 'Members of a project use only the images of that project.',
          },
        ]}
      />
      <ReasonField operation="imagePolicyUpdate" />
    </ModalForm>
  )
}
