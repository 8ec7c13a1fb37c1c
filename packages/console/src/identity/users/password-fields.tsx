import type { UserPassword } from '@steading/api/client'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { PasswordField } from '../../forms/password-field.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'

export interface PasswordValues {
  mode: UserPassword['mode']
  password: string
}

export const noPassword: PasswordValues = { mode: 'password', password: '' }

/** Placeholder for a password in code. */
const PLACEHOLDER = '<password>'

export const passwordOf = ({ mode, password }: PasswordValues): UserPassword =>
  mode === 'password' ? { mode, value: password } : { mode }

export const describedPassword = (values: PasswordValues): UserPassword =>
  passwordOf({ ...values, password: PLACEHOLDER })

const modes = [
  { value: 'password', label: 'Password' },
  {
    value: 'login_disallowed',
    label: 'No login',
    description: 'The user exists, and cannot sign in until there is a password.',
  },
]

/** Fields for the user's way of signing in. */
export function PasswordFields<T extends PasswordValues>(props: {
  form: UseFormReturn<T>
  /** Name of the user. */
  user: string
}) {
  const form = props.form as unknown as UseFormReturn<PasswordValues>
  const mode = useWatch({ control: form.control, name: 'mode' })
  return (
    <>
      <RadioField control={form.control} name="mode" label="Sign-in" items={modes} column />
      {mode === 'password' && (
        <PasswordField
          form={form}
          name="password"
          description="Hand it over safely: it is not shown again"
          autoComplete="new-password"
          isNew
          user={props.user}
        />
      )}
    </>
  )
}
