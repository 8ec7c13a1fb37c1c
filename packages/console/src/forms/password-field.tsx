import { generatePassword, passwordProblem } from '@steading/api/rules'
import { Dices, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { FieldPathByValue, FieldValues, PathValue, UseFormReturn } from 'react-hook-form'
import { Button } from '../ui/button.tsx'
import type { FieldProps } from '../ui/form/field.tsx'
import { TextField } from '../ui/form/text-field.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

type Props<T extends FieldValues, N extends FieldPathByValue<T, string>> = Pick<
  FieldProps<T, N>,
  'name' | 'label' | 'description'
> & {
  form: UseFormReturn<T>
  /** For a new password: offers to make one up. */
  generate?: boolean
  /** What password managers are to put in, or to keep. */
  autoComplete: 'new-password' | 'current-password'
}

/** A password, which can be shown while it is typed. */
export function PasswordField<T extends FieldValues, N extends FieldPathByValue<T, string>>({
  form,
  generate,
  label = 'Password',
  ...field
}: Props<T, N>) {
  const [shown, setShown] = useState(false)
  const what = String(label).toLowerCase()
  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...field}
        control={form.control}
        label={label}
        required
        type={shown ? 'text' : 'password'}
        mono={shown}
        validate={(value: string) => (value ? passwordProblem(value) : `${label} is required`)}
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
      {generate && (
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
