import type { UserDetails } from '@steading/api/client'
import { mailAddressProblem } from '@steading/api/rules'
import { useForm } from 'react-hook-form'
import { useCapability } from '../../data/capabilities.ts'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'

type Props = {
  /** Name of the silo. */
  silo: string
  user: UserDetails
  onDismiss: () => void
}

/** The problem of an address in a form, where an empty one removes it. */
export function addressFieldProblem(address: string): string | undefined {
  const problem = address.trim() === '' ? undefined : mailAddressProblem(address.trim())
  return problem && problem[0]!.toUpperCase() + problem.slice(1)
}

export const addressOf = (text: string): string | null => text.trim() || null

/** Sets the mail address of a user. */
export default function MailAddress({ silo, user, onDismiss }: Props) {
  const mails = useCapability('userMail')
  const form = useForm({ defaultValues: { address: user.mailAddress ?? '' } })
  const set = useApiForm(
    'userMailAddressUpdate',
    ({ address }: { address: string }) => ({
      path: { userId: user.id },
      query: { silo },
      body: { mailAddress: addressOf(address) },
    }),
    {
      onSuccess: () => {
        addToast('Mail address changed')
        onDismiss()
      },
    },
  )
  return (
    <ModalForm form={form} title="Mail address" submitLabel="Save" {...set} onDismiss={onDismiss}>
      <p>
        Invitations and links for forgotten passwords of <Strong>{user.displayName}</Strong> go to
        this address.
      </p>
      <TextField
        control={form.control}
        name="address"
        label="Mail address"
        validate={addressFieldProblem}
        description={
          mails
            ? 'A mail asks to confirm it. Empty: no address.'
            : 'This server sends no mail yet. Empty: no address.'
        }
      />
    </ModalForm>
  )
}
