import { groupNameProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1)

export function GroupCreatePage() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: { name: '' } })
  const create = useApiForm(
    'groupCreate',
    ({ name }: { name: string }) => ({ body: { displayName: name.trim() } }),
    {
      onSuccess: ({ id, displayName }) => {
        addToast({
          content: (
            <>
              Group <Strong>{displayName}</Strong> created
            </>
          ),
        })
        void navigate({ to: '/groups/$group', params: { group: id } })
      },
    },
  )
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="group"
      {...create}
      onDismiss={() => void navigate({ to: '/groups' })}
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        required
        ignorePasswordManagers
        validate={(name: string) => {
          if (name.trim() === '') return 'Name is required'
          const problem = groupNameProblem(name)
          return problem && capitalized(problem)
        }}
      />
    </SideModalForm>
  )
}
