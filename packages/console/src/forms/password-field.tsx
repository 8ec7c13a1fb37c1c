import {
  commonPassword,
  generatePassword,
  newPasswordProblem,
  passwordProblem,
} from '@steading/api/rules'
import { Dices, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import {
  type FieldPathByValue,
  type FieldValues,
  type PathValue,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { passwordMin } from '../ui/server-state.ts'
import { Button } from '../ui/button.tsx'
import type { FieldProps } from '../ui/form/field.tsx'
import { TextField } from '../ui/form/text-field.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

type Props<T extends FieldValues, N extends FieldPathByValue<T, string>> = Pick<
  FieldProps<T, N>,
  'name' | 'label' | 'description' | 'required'
> & {
  form: UseFormReturn<T>
  /** A new password: shows the rules while typing, and offers to generate one. */
  isNew?: boolean
  /** Name of the user who gets the new password. */
  user?: string
  /** Hint for password managers to fill in or to store. */
  autoComplete: 'new-password' | 'current-password'
}

/** Shows a field error for a common new password, which only the server recognizes. */
export const showCommonPasswordError =
  <T extends FieldValues, N extends FieldPathByValue<T, string>>(form: UseFormReturn<T>, name: N) =>
  ({ message }: { message: string }): void => {
    if (!message.endsWith(commonPassword)) return
    form.setError(name, { message: commonPassword })
    form.setFocus(name)
  }

/** A password field that can reveal its text. */
export function PasswordField<T extends FieldValues, N extends FieldPathByValue<T, string>>({
  form,
  isNew,
  user,
  label = 'Password',
  description,
  required = true,
  ...field
}: Props<T, N>) {
  const [shown, setShown] = useState(false)
  const min = passwordMin.useValue()
  const typed = useWatch({ control: form.control, name: field.name }) as string
  const problemOf = (value: string) =>
    isNew ? newPasswordProblem(value, min, user) : passwordProblem(value)
  const rules = isNew
    ? ((typed ? problemOf(typed) : undefined) ??
      `At least ${min} characters, and not a common password`)
    : undefined
  const what = String(label).toLowerCase()
  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...field}
        control={form.control}
        label={label}
        description={[rules, description].filter(Boolean).join('. ') || undefined}
        required={required}
        type={shown ? 'text' : 'password'}
        mono={shown}
        validate={(value: string) =>
          value ? problemOf(value) : required ? `${label} is required` : undefined
        }
        suffix={
          <Button
            size="sm"
            variant="ghost"
            square
            aria-label={shown ? `Hide ${what}` : `Show ${what}`}
            aria-pressed={shown}
            icon={shown ? <EyeOff {...icon} /> : <Eye {...icon} />}
            onClick={() => setShown(!shown)}
          />
        }
      />
      {isNew && (
        <div>
          <Button
            size="sm"
            icon={<Dices {...icon} />}
            onClick={() => {
              setShown(true)
              form.setValue(field.name, generatePassword() as PathValue<T, N>, {
                shouldDirty: true,
                shouldValidate: true,
              })
            }}
          >
            Generate a password
          </Button>
        </div>
      )}
    </div>
  )
}
