import { SECOND_FACTOR_REQUIRED } from '@steading/api/rules'
import { Suspense, useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useApiMutation } from '../../data/api.ts'
import { onConnection } from '../../data/connection.ts'
import { isNoAnswer, isRefused } from '../../data/errors.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { Mono } from '../../ui/text.tsx'
import { lazyPart, loadPart } from '../../ui/lazy-part.ts'
import { demoPassword } from './demo.ts'

const steps = () => import('../second-factors/second-factor.tsx')
const SecondFactor = lazyPart(steps)

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
  /** Whether users may sign in with a passkey alone. */
  passkeys?: boolean | undefined
  onSignedIn: () => void
}

/** Form for the name and password of a silo's user. */
export function CredentialsForm({
  silo,
  username = '',
  passkeys = false,
  onSignedIn,
}: CredentialsFormProps) {
  const id = useId()
  const [second, setSecond] = useState(false)
  const [notice, setNotice] = useState<string>()
  const form = useForm({ defaultValues: { username, password: '' } })
  const login = useApiMutation('loginLocal', {
    expected: [401, 403],
    onSuccess: (_, { body }) => {
      rememberUsername(body.username)
      onSignedIn()
    },
    onError: ({ errorCode }, { body }) => {
      if (errorCode !== SECOND_FACTOR_REQUIRED) return
      rememberUsername(body.username)
      setNotice(undefined)
      setSecond(true)
    },
  })
  const lost = isNoAnswer(login.error)
  const { reset } = login
  useEffect(() => {
    if (lost) return onConnection((isLost) => isLost || reset())
  }, [lost, reset])
  const { errors } = form.formState
  if (second) {
    return (
      <Suspense>
        <SecondFactor
          silo={silo}
          onSignedIn={onSignedIn}
          onBack={(reason) => {
            login.reset()
            setNotice(reason)
            setSecond(false)
          }}
        />
      </Suspense>
    )
  }
  const withPasskey = async () => {
    setNotice(undefined)
    login.reset()
    const { passkeyLack, passkeyProblem, signInWithPasskey } = await loadPart(steps)
    const lack = passkeyLack()
    if (lack) return setNotice(lack)
    try {
      await signInWithPasskey(silo)
    } catch (error) {
      return setNotice(passkeyProblem(error) ?? 'No passkey was used.')
    }
    onSignedIn()
  }
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
        {passkeys && (
          <Button className="mt-2 h-10! w-full" onClick={() => void withPasskey()}>
            Sign in with a passkey
          </Button>
        )}
        <div aria-live="assertive" className="mt-2 min-h-lh wrap-anywhere text-red-text">
          {login.error
            ? lost
              ? 'The server cannot be reached.'
              : isRefused(login.error)
                ? 'Could not sign in. Please try again.'
                : login.error.message
            : notice}
        </div>
      </form>
    </>
  )
}
