import { useEffect, useId } from 'react'
import { useForm } from 'react-hook-form'
import { useApiMutation } from '../../data/api.ts'
import { onConnection } from '../../data/connection.ts'
import { isNoAnswer } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { Mono } from '../../ui/text.tsx'
import { demoPassword } from './demo.ts'

const KEY = 'username'

/** User name of this tab's sign-in, prefilled when the session has ended. */
export const rememberedUsername = (): string => sessionStorage.getItem(KEY) ?? ''
const rememberUsername = (username: string): void => sessionStorage.setItem(KEY, username)

const USERNAME = 'admin'

type DemoHintProps = { onFill: (credentials: { username: string; password: string }) => void }

/** Demo only: how to sign in. */
const DemoHint = ({ onFill }: DemoHintProps) =>
  demoPassword && (
    <Banner
      variant="info"
      title="This is a demo"
      className="mb-4"
      action={
        <Button size="sm" onClick={() => onFill({ username: USERNAME, password: demoPassword! })}>
          Fill in
        </Button>
      }
    >
      Sign in as <Mono>{USERNAME}</Mono> with the password <Mono>{demoPassword}</Mono>.
    </Banner>
  )

type CredentialsFormProps = {
  silo: string
  username?: string
  onSignedIn: () => void
}

/** Form for the name and password of a silo's user. */
export function CredentialsForm({ silo, username = '', onSignedIn }: CredentialsFormProps) {
  const id = useId()
  const form = useForm({ defaultValues: { username, password: '' } })
  const login = useApiMutation('loginLocal', {
    expected: [401],
    onSuccess: (_, { body }) => {
      rememberUsername(body.username)
      onSignedIn()
    },
  })
  const lost = isNoAnswer(login.error)
  const { reset } = login
  useEffect(() => {
    if (lost) return onConnection((isLost) => isLost || reset())
  }, [lost, reset])
  const { errors } = form.formState
  return (
    <>
      <DemoHint onFill={(credentials) => form.reset(credentials)} />
      <form
        noValidate
        className="flex flex-col text-primary"
        onSubmit={(event) => {
          // React events bubble through portals: the form below a dialog must not be submitted.
          event.stopPropagation()
          void form.handleSubmit((body) => login.mutate({ path: { siloName: silo }, body }))(event)
        }}
      >
        <div className="flex min-h-16 flex-col gap-1">
          <input
            {...form.register('username', { required: 'Username is required' })}
            placeholder="Username"
            aria-label="Username"
            aria-invalid={errors.username ? true : undefined}
            aria-describedby={`${id}-username-error`}
            autoComplete="username"
            autoCapitalize="none"
            className="field-control h-10"
          />
          <FieldError id={`${id}-username`} error={errors.username?.message} />
        </div>
        <div className="flex min-h-16 flex-col gap-1">
          <input
            {...form.register('password', { required: 'Password is required' })}
            type="password"
            placeholder="Password"
            aria-label="Password"
            aria-invalid={errors.password ? true : undefined}
            aria-describedby={`${id}-password-error`}
            autoComplete="current-password"
            className="field-control h-10"
          />
          <FieldError id={`${id}-password`} error={errors.password?.message} />
        </div>
        <Button type="submit" variant="primary" className="h-10! w-full" loading={login.isPending}>
          Sign in
        </Button>
        <div aria-live="assertive" className="mt-2 min-h-lh text-red-text">
          {login.error &&
            (lost ? 'The server cannot be reached.' : 'Could not sign in. Please try again.')}
        </div>
      </form>
    </>
  )
}
